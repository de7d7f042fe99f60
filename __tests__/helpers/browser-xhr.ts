// Import this before axios: it takes its xhr adapter only where there is an XMLHttpRequest when it is loaded.
import { JSDOM, VirtualConsole } from 'jsdom';

// The virtual console keeps jsdom's remarks about failed requests to itself.
const page = new JSDOM('', { url: 'http://page.example/', virtualConsole: new VirtualConsole() });
const inFlight: XMLHttpRequest[] = [];

class PageRequest extends page.window.XMLHttpRequest {
  constructor() {
    super();
    inFlight.push(this);
  }
}
Object.defineProperty(globalThis, 'XMLHttpRequest', { value: PageRequest, configurable: true, writable: true });

afterAll(() => page.window.close());

/** What a browser does when the page is left: it aborts what is in flight, and nobody asked axios. */
export function abortAll(): void {
  for (const request of inFlight.splice(0)) request.abort();
}
