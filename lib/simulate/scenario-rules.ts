/** What is allowed in a scenario, field by field. */
import { isObject, number, type Rule } from './library';
import type { NetworkOptions, OutageOptions, QuotaOptions, Scenario, ServiceOptions } from './scenario';

const whole = (from: number, to = Infinity, words = ` >= ${from}`) =>
  number(`a whole number${words}`, (value) => Number.isInteger(value) && value >= from && value <= to);
const finiteFrom0 = number('a finite number >= 0', (value) => value >= 0 && value < Infinity);
export const above0 = number('a finite number > 0', (value) => value > 0 && value < Infinity);
const oneOf = (...values: readonly string[]): Rule => [
  `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  (value) => values.includes(value as string),
];
const object: Rule = ['an object', (value) => isObject(value) && !Array.isArray(value)];

export const SCENARIO: Readonly<Record<keyof Scenario, Rule>> = {
  clients: whole(1, 10_000_000, ' from 1 to 10000000'),
  arrival: ["'at-once' or { rate: clients per second }", (value) => value === 'at-once' || isObject(value)],
  service: object,
  outage: object,
  network: object,
  timeout: above0,
  processes: whole(1),
  clientsPerProcess: whole(1),
  policies: ['a list of presets, or an object of policies by name', isObject],
  retries: number('a whole number >= 0, or Infinity', (value) => value >= 0 && (Number.isInteger(value) || value === Infinity)),
  seed: number('a whole number', Number.isSafeInteger),
  bucket: number('a multiple of 100', (value) => value > 0 && value < Infinity && value % 100 === 0),
  horizon: number('a number of ms from 100 to 86400000', (value) => value >= 100 && value <= 86_400_000),
  maxRequests: whole(1),
};
export const SERVICE: Readonly<Record<keyof ServiceOptions, Rule>> = {
  capacity: above0,
  latency: finiteFrom0,
  concurrency: whole(1, 1_000_000, ' from 1 to 1000000'),
  overload: oneOf('reject', 'queue'),
  queueLimit: number('a whole number >= 0, or Infinity', (value) => value >= 0 && (Number.isInteger(value) || value === Infinity)),
  rejectCost: number('a number from 0 to 1', (value) => value >= 0 && value <= 1),
  retryAfter: finiteFrom0,
  quota: object,
};
export const QUOTA: Readonly<Record<keyof QuotaOptions, Rule>> = { requests: whole(1), window: above0 };
export const OUTAGE: Readonly<Record<keyof OutageOptions, Rule>> = {
  start: finiteFrom0,
  length: finiteFrom0,
  kind: oneOf('refused', '503', '429', 'timeout'),
  retryAfter: finiteFrom0,
};
export const NETWORK: Readonly<Record<keyof NetworkOptions, Rule>> = { delay: finiteFrom0, jitter: finiteFrom0 };
