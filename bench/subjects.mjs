// What is measured: bare axios, the two peers, axios-jitter, and the floor of the retry path.
import axios from 'axios';
import axiosRetry from 'axios-retry';
import * as retryAxios from 'retry-axios';
import { attachRetry } from '../dist/index.js';

const RETRIES = 3;

/** An adapter in memory that answers 200. */
export const succeed = (config) =>
  Promise.resolve({ data: '{"a":1}', status: 200, statusText: 'OK', headers: {}, config, request: {} });

/** An adapter in memory that answers 503 to the first three attempts of each call, made one after another. */
export function failThrice() {
  let sent = 0;
  return (config) => {
    sent += 1;
    if (sent % (RETRIES + 1) === 0) return succeed(config);
    const response = { data: '', status: 503, statusText: '', headers: {}, config, request: {} };
    return Promise.reject(new axios.AxiosError('503', 'ERR_BAD_RESPONSE', config, {}, response));
  };
}

const create = (adapter) => axios.create({ baseURL: 'http://service.test', adapter });

/** A hand-written minimal plugin: counts and sends again. No option, check or record. */
function attachFloor(api) {
  api.interceptors.request.use(
    (config) => {
      config.sent = (config.sent ?? 0) + 1;
      return config;
    },
    undefined,
    { synchronous: true },
  );
  api.interceptors.response.use(undefined, (error) => {
    const { config } = error;
    return config && config.sent <= RETRIES ? api.request(config) : Promise.reject(error);
  });
}

const attachers = {
  bare: () => undefined,
  floor: attachFloor,
  'axios-retry': (api, delay) => axiosRetry(api, { retries: RETRIES, retryDelay: () => delay() }),
  'retry-axios': (api, delay) => {
    api.defaults.raxConfig = { instance: api, retry: RETRIES, noResponseRetries: RETRIES, backoffType: 'static', retryDelay: delay() };
    retryAxios.attach(api);
  },
  'axios-jitter': (api, delay) =>
    attachRetry(api, { retries: RETRIES, budget: false, ...(delay() === 0 ? { baseDelay: 0 } : { delay }) }),
};

/** An instance of each name; `delay` in ms is for those that wait. */
export function makeSubjects(names, makeAdapter, delay = () => 0) {
  return Object.fromEntries(
    names.map((name) => {
      const api = create(makeAdapter());
      attachers[name](api, delay);
      return [name, api];
    }),
  );
}
