// Limits of the README that are axios' own: when axios mends one, the test fails and the line can go.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import axios, { type AxiosInstance } from 'axios';
import FormData from 'form-data';

import { attachRetry } from '../../lib/index';

const server = createServer();
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each<[string, (api: AxiosInstance) => unknown]>([
  ['bare axios', () => undefined],
  ['axios with the plugin', (api) => attachRetry(api)],
])('%s sends a form-data body although the call was aborted before the body was measured', async (_, prepare) => {
  const api = axios.create({ baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxRedirects: 0, proxy: false });
  prepare(api);
  const form = new FormData();
  form.append('name', 'value');
  const controller = new AbortController();
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
  const call = api.post('/', form, { signal: controller.signal });
  queueMicrotask(() => controller.abort());

  await expect(call).rejects.toMatchObject({ code: 'ERR_CANCELED' });
  const [request] = await arrived;
  expect(request.method).toBe('POST');
});
