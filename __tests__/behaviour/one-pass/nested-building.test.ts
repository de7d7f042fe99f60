// A call that is made while another one is being built.
import { attachRetry } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

it('from the `runWhen` of an outer interceptor takes nothing from the other', async () => {
  server.decide = ({ url }) => (url === '/ping' ? 200 : undefined);
  server.script(503, 200);
  const api = axios.create({ baseURL: server.url });
  const retry = attachRetry(api, instant);
  const pings: Promise<unknown>[] = [];
  const runWhen = ({ url }: { url?: string }): boolean => {
    if (url === '/') pings.push(api.get('/ping'));
    return true;
  };
  api.interceptors.request.use((config) => config, undefined, { runWhen });
  await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
  await Promise.all(pings);
  expect(retry.stats()).toMatchObject({ calls: 2, retries: 1, recovered: 1 });
});
