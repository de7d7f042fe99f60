// Interleaved rounds in one process: what the machine does to one subject it does to all. Medians and quartiles.
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

export function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

async function timeCalls(api, calls, concurrency) {
  const worker = async (count) => {
    for (let i = 0; i < count; i++) await api.get('/orders');
  };
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: concurrency }, () => worker(calls / concurrency)));
  return Number(process.hrtime.bigint() - start) / calls;
}

/** ns per call of each subject. */
export async function measureTime(subjects, { rounds = 100, calls = 512, concurrency = 1, warmUp = 20 }) {
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds + warmUp; round++) {
    const names = Object.keys(subjects);
    // Nobody is always the first.
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length];
      const time = await timeCalls(subjects[name], calls, concurrency);
      if (round >= warmUp) times[name].push(time);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, summarize(values)]));
}

/** Bytes allocated per call of each subject: few enough calls that no collection falls in between. */
export async function measureBytes(subjects, { rounds = 15, calls = 400 }) {
  const bytes = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, api] of Object.entries(subjects)) {
      globalThis.gc();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < calls; i++) await api.get('/orders');
      bytes[name].push((process.memoryUsage().heapUsed - before) / calls);
    }
  }
  return Object.fromEntries(Object.entries(bytes).map(([name, values]) => [name, summarize(values)]));
}
