// The dashboard and the alerts: parsed by Prometheus' own grammar, and about metrics that a real scrape shows.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parser } from '@prometheus-io/lezer-promql';
import axios from 'axios';
import { Registry } from 'prom-client';
import { parse } from 'yaml';

import { attachRetry } from '../../lib/index';
import { prometheus } from '../../lib/prometheus';

const read = (file: string): string => readFileSync(path.resolve(__dirname, '../../examples', file), 'utf8');

interface Dashboard {
  panels: { title: string; description: string; fieldConfig: { defaults: { unit: string } }; targets: { expr: string }[] }[];
}
interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
}
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;
const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
// Grafana puts its variables in before it asks.
const expressions = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules.map(({ expr }) => expr)].map((expression) =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$server', '.+'),
);

/** What the grammar finds: whether it is an error, and the names of metrics and labels. */
function analyse(expression: string): { errors: number; metrics: string[]; labels: string[] } {
  const found = { errors: 0, metrics: [] as string[], labels: [] as string[] };
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) found.errors += 1;
      const text = expression.slice(from, to);
      if (type.name === 'Identifier' && text.startsWith('axios_jitter')) found.metrics.push(text);
      if (type.name === 'LabelName') found.labels.push(text);
    },
  });
  return found;
}

/** Names and labels of a scrape after calls of every kind. */
async function scrape(): Promise<{ names: Set<string>; labels: Set<string> }> {
  const registry = new Registry();
  const circuit = { execute: <T>(send: () => Promise<T>) => send(), state: 'open' };
  const api = axios.create({
    adapter: (config) => Promise.reject(new axios.AxiosError('reset', 'ECONNRESET', config, {})),
  });
  attachRetry(api, { observers: [prometheus({ registry })], circuitBreaker: circuit, sleep: () => Promise.resolve() });
  await api.get('https://api.example.com/').catch(() => undefined);
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return {
    names: new Set(lines.map((line) => line.replace(/[{ ].*/, ''))),
    labels: new Set(lines.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label = '']) => label))),
  };
}

describe('the expressions of the dashboard and the alerts', () => {
  it.each(expressions)('parse: %s', (expression) => {
    expect(analyse(expression).errors).toBe(0);
  });

  it('are about metrics and labels that a scrape shows', async () => {
    const { names, labels } = await scrape();
    const used = expressions.map(analyse);

    expect([...names]).toEqual(expect.arrayContaining(used.flatMap(({ metrics }) => metrics)));
    expect([...labels]).toEqual(expect.arrayContaining(used.flatMap((each) => each.labels)));
    expect(used.every(({ metrics }) => metrics.length > 0)).toBe(true);
  });

  it('are not accepted when they are wrong', () => {
    expect(analyse('sum by (rate(axios_jitter_calls_total[5m])').errors).toBeGreaterThan(0);
  });
});

it('the dashboard has three to six panels, each with a unit and a description', () => {
  expect(dashboard.panels.length).toBeGreaterThanOrEqual(3);
  expect(dashboard.panels.length).toBeLessThanOrEqual(6);
  for (const { description, fieldConfig } of dashboard.panels) expect([description, fieldConfig.defaults.unit].every((text) => text.length > 0)).toBe(true);
});

it('there are three alerts, each with a time, a severity and a summary', () => {
  expect(rules.map(({ alert }) => alert)).toEqual(['AxiosJitterRetriesRise', 'AxiosJitterBudgetEmpty', 'AxiosJitterCircuitOpen']);
  for (const rule of rules) expect([rule.for, rule.labels.severity, rule.annotations.summary].every((text) => text.length > 0)).toBe(true);
});
