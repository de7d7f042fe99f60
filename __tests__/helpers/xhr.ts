// A browser's XMLHttpRequest for axios' xhr adapter. Import it before axios: axios looks for it once, when it is loaded.
import { JSDOM, VirtualConsole } from 'jsdom';

let page: JSDOM | undefined;

function PageRequest(): XMLHttpRequest {
  if (!page) {
    throw new Error('Call visit(url) first');
  }
  return new page.window.XMLHttpRequest();
}
Object.assign(globalThis, { XMLHttpRequest: PageRequest });

/** Opens a page of this origin: requests to it need no CORS. */
export function visit(url: string): void {
  // Requests that fail are reported on the page's console as well.
  page = new JSDOM('', { url, virtualConsole: new VirtualConsole() });
}

export function closeBrowser(): void {
  page?.window.close();
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
}
