// What is measured: bare axios, a hand-written minimal plugin (the floor), two peers, and axios-jitter.
import { setTimeout } from 'node:timers';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import * as retryAxios from 'retry-axios';
import { attachRetry } from '../dist/index.js';

export const RETRIES = 3;
export const plugins = ['floor', 'axios-retry', 'retry-axios', 'axios-jitter'];
export const all = ['bare', ...plugins];

/** An adapter in memory that answers 200. */
export const succeed = (config) =>
  Promise.resolve({ data: '{"a":1}', status: 200, statusText: 'OK', headers: {}, config, request: {} });

/** An adapter in memory that answers 503. */
export const fail = (config) => {
  const response = { data: '', status: 503, statusText: '', headers: {}, config, request: {} };
  return Promise.reject(new axios.AxiosError('503', 'ERR_BAD_RESPONSE', config, {}, response));
};

/** How often a call was sent. Of a class: axios clones plain objects. */
class Tally {
  sent = 0;
}
/** A request that `failThrice` fails `RETRIES` times, whatever else is under way. */
export const countedRequest = () => ({ tally: new Tally() });
export const failThrice = (config) => (++config.tally.sent > RETRIES ? succeed(config) : fail(config));

/**
 * A hand-written minimal plugin: counts and sends again. No option, check or record, no abort in the wait.
 * Without a delay it uses no timer; nor does axios-jitter. The peers always do.
 */
function attachFloor(api, delay) {
  const count = (config) => {
    config.sent = (config.sent ?? 0) + 1;
    return config;
  };
  api.interceptors.request.use(count, undefined, { synchronous: true });
  api.interceptors.response.use(undefined, (error) => {
    const { config } = error;
    if (!config || config.sent > RETRIES) return Promise.reject(error);
    if (delay === 0) return api.request(config);
    return new Promise((resolve) => setTimeout(() => resolve(api.request(config)), delay));
  });
}

// The budget of axios-jitter is off: it exists to refuse what is measured here.
const attachers = {
  bare: () => undefined,
  floor: attachFloor,
  'axios-retry': (api, delay) => axiosRetry(api, { retries: RETRIES, retryDelay: () => delay }),
  'retry-axios': (api, delay) => {
    api.defaults.raxConfig = { instance: api, retry: RETRIES, noResponseRetries: RETRIES, backoffType: 'static', retryDelay: delay };
    retryAxios.attach(api);
  },
  'axios-jitter': (api, delay) =>
    attachRetry(api, { retries: RETRIES, budget: false, jitter: 'none', factor: 1, baseDelay: delay, maxDelay: Math.max(delay, 1) }),
};

/** An instance with the plugin of that name; all delays are `delay` ms. */
export function makeSubject(name, config, delay = 0) {
  const api = axios.create({ baseURL: 'http://service.test', ...config });
  attachers[name](api, delay);
  return api;
}
