/** A scrape of /metrics as numbers, and what a dashboard computes of several. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** Seconds since the first one. */
  readonly at: number;
  readonly samples: readonly Sample[];
}

export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, own]) => [label, own]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

/** The sum of all series of a name with these labels. */
export function sumOf({ samples }: Scrape, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const isLike = (sample: Sample): boolean => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
  return samples.filter(isLike).reduce((sum, { value }) => sum + value, 0);
}

export type Point = readonly [at: number, value: number];

const WINDOW = 2;

/** PromQL's rate() over the last two seconds. */
export function rateOf(scrapes: readonly Scrape[], valueOf: (scrape: Scrape) => number): Point[] {
  return scrapes.flatMap((scrape): Point[] => {
    const before = scrapes.find(({ at }) => at >= scrape.at - WINDOW);
    if (!before || before === scrape) return [];
    return [[scrape.at, (valueOf(scrape) - valueOf(before)) / (scrape.at - before.at)]];
  });
}

/** PromQL's histogram_quantile() over the last two seconds, in seconds; nothing where no call has ended. */
export function quantileOf(scrapes: readonly Scrape[], name: string, quantile: number): Point[] {
  const bounds = [...new Set(scrapes.at(-1)?.samples.filter((sample) => sample.name === `${name}_bucket`).map(({ labels }) => labels['le'] ?? ''))];
  const rates = bounds.map((le) => ({ le: Number(le.replace('+Inf', 'Infinity')), points: rateOf(scrapes, (scrape) => sumOf(scrape, `${name}_bucket`, { le })) }));
  rates.sort((a, b) => a.le - b.le);
  const [first] = rates;
  return (first?.points ?? []).flatMap(([at], index): Point[] => {
    const cumulative = rates.map(({ le, points }) => ({ le, rate: points[index]?.[1] ?? 0 }));
    const wanted = quantile * (cumulative.at(-1)?.rate ?? 0);
    const place = cumulative.findIndex(({ rate }) => rate >= wanted);
    const [low, high] = [cumulative[place - 1] ?? { le: 0, rate: 0 }, cumulative[place]];
    if (!high || wanted === 0) return [];
    const share = high.rate === low.rate ? 1 : (wanted - low.rate) / (high.rate - low.rate);
    return [[at, high.le === Infinity ? low.le : low.le + share * (high.le - low.le)]];
  });
}
