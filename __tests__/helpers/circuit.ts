import axios from './axios';
import { answers, recordingSleep, rejection, type LocalService } from './local-service';
import { circuitBreaker, type CircuitBreakerOptions } from '../../lib/cockatiel';
import { attachRetry, type RetryOptions } from '../../lib/index';

/** Opens at the third of three failures; the first break lasts exactly 2 seconds. */
const SETTINGS = { threshold: 1, minimumAttempts: 3, breakDelay: 4_000, random: () => 0 } satisfies CircuitBreakerOptions;
export const BREAK = 2_000;

export function client(settings: CircuitBreakerOptions = {}, options: RetryOptions = {}) {
  const api = axios.create();
  const changes: string[] = [];
  const onStateChange = (_origin: string, state: string): void => void changes.push(state);
  const breakers = circuitBreaker({ ...SETTINGS, onStateChange, ...settings });
  const { delays, sleep } = recordingSleep();
  const handle = attachRetry(api, { circuitBreaker: breakers, sleep, ...options });
  return { api, breakers, changes, delays, handle };
}

/** Opens the circuit of a service, which answers as told from then on. */
export async function openCircuit({ api, breakers }: ReturnType<typeof client>, service: LocalService): Promise<void> {
  service.answer = answers(500);
  for (let i = 0; i < 10 && breakers.state(service.url) === 'closed'; i++) await rejection(api.get(service.url, { retry: 0 }));
  service.received.length = 0;
}
