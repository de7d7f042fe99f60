// Runs in a page that goes to the background, and tells its server what became of its calls there.
import type {} from './page';

const isHidden = new Promise<void>((resolve) => {
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && resolve());
});
open('/served');
await isHidden;

async function call(adapter: string): Promise<unknown> {
  const { api } = inPage.client(adapter, { sleep: undefined, baseDelay: 50 });
  return inPage.outcome(api.get(`/api/${adapter}`));
}
const outcomes = await Promise.all(['xhr', 'fetch'].map(call));
await fetch('/api/report', { method: 'POST', body: JSON.stringify({ outcomes, visibility: document.visibilityState }) });
