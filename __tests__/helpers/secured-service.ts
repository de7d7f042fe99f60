import { startService, type LocalService } from './local-service';

/** A token service at `/token`, and an API that wants its newest token. */
export interface SecuredService {
  readonly service: LocalService;
  /** `GET /orders old`, in the order of arrival. */
  lines(): string[];
  /** Resolves when the first request for a token is there. */
  readonly tokenAsked: Promise<void>;
  /** Lets the token service answer, where it was told to wait. */
  release(): void;
}

interface Answers {
  /** Statuses for requests with the token `new`; then 200. */
  api?: number[];
  /** Statuses for requests with any other token; then 401. */
  old?: number[];
  /** Statuses for requests for a token; then 200. */
  token?: number[];
  /** Whether the token service waits for `release`. */
  holdToken?: boolean;
}

export async function startSecured({ api = [], old = [], token = [], holdToken = false }: Answers): Promise<SecuredService> {
  let ask = (): void => undefined;
  let release = (): void => undefined;
  const tokenAsked = new Promise<void>((resolve) => (ask = resolve));
  const released = holdToken ? new Promise<void>((resolve) => (release = resolve)) : Promise.resolve();
  const service = await startService(({ path, headers }, response) => {
    const end = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status }));
    };
    if (path !== '/token') return end(headers.authorization === 'new' ? (api.shift() ?? 200) : (old.shift() ?? 401));
    ask();
    void released.then(() => end(token.shift() ?? 200));
  });
  const lines = () => service.received.map(({ method, path, headers }) => `${method} ${path} ${headers.authorization ?? '-'}`);
  return { service, lines, tokenAsked, release: () => release() };
}
