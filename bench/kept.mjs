// What a finished call leaves: bytes that a kept response or error holds, beside what bare axios leaves of a call that ends
// the same way at its first attempt. A process of its own. `node --expose-gc kept.mjs '{"count":…}'` prints one line of JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { makeSubject, RETRIES } from './subjects.mjs';

const { count } = JSON.parse(process.argv[2]);
const SUBJECTS = ['bare', 'axios-retry', 'axios-jitter'];
const ANSWER = 10_000; // characters, about
const ENDS = [
  { end: 'success at once', fails: 0, isSuccess: true },
  { end: 'success after retries', fails: RETRIES, isSuccess: true },
  { end: 'failure after retries', fails: RETRIES, isSuccess: false },
];

let made = 1_000_000;
/** An answer of its own each time: what is held twice counts twice. */
const answer = (config, status) => {
  const data = `<p>${JSON.stringify(Array.from({ length: ANSWER / 8 }, () => made))}`;
  made += 1;
  return { data, status, statusText: '', headers: new axios.AxiosHeaders({ 'x-id': String(made) }), config, request: {} };
};

function adapterOf({ fails, isSuccess }) {
  const sent = new Map();
  return (config) => {
    const attempt = sent.get(config.url) ?? 0;
    sent.set(config.url, attempt + 1);
    const isLast = attempt >= fails;
    if (isLast) sent.delete(config.url);
    const response = answer(config, isLast && isSuccess ? 200 : 503);
    return response.status === 200 ? Promise.resolve(response) : Promise.reject(new axios.AxiosError('503', 'ERR_BAD_RESPONSE', config, {}, response));
  };
}

async function heap() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await sleep(5);
  }
  return process.memoryUsage().heapUsed;
}

async function measure(name, end) {
  // Bare axios sends once.
  const api = makeSubject(name, { adapter: adapterOf(name === 'bare' ? { ...end, fails: 0 } : end) });
  const call = (i) => api.put(`/orders/${i}`, { id: i, text: 'x'.repeat(1_000) }).catch((error) => error);
  for (let i = 0; i < 500; i++) await call(-1);
  const before = await heap();
  const kept = [];
  for (let i = 0; i < count; i++) kept.push(await call(i));
  const bytes = ((await heap()) - before) / kept.length;
  if (kept.some((result) => result instanceof Error === end.isSuccess)) throw new Error(`${name}, ${end.end}: ended otherwise`);
  return bytes;
}

const results = [];
for (const end of ENDS) {
  const bytes = {};
  for (const name of SUBJECTS) bytes[name] = await measure(name, end);
  results.push({ end: end.end, bytes });
}
console.log(JSON.stringify(results));
process.exit(0);
