type Run = (text: string) => unknown;
type Make = (length: number) => string;

// In ms of this process alone, whatever else the machine is busy with.
function timeOf(run: Run, text: string): number {
  const start = process.cpuUsage();
  try {
    run(text);
  } catch {
    // What is refused was read, too.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Ten times the text takes 10 times as long where time is linear, 100 times where it is quadratic. */
const LIMIT = 35;

// The best of many rounds: on a busy machine what is made may be collected in any of them. What takes no time to speak of counts as
// half a millisecond.
export function growsLinearly(run: Run, make: Make, length: number): boolean {
  const [short, long] = [make(length), make(10 * length)];
  let [ofShort, ofLong] = [Infinity, Infinity];
  for (let round = 0; round < 25; round++) {
    ofLong = Math.min(ofLong, timeOf(run, long));
    ofShort = Math.max(0.5, Math.min(ofShort, timeOf(run, short)));
    if (ofLong <= LIMIT * ofShort) return true;
  }
  return false;
}

/** Whether 1 MB takes about ten times as long as 100 kB. Small texts first, so that what is not linear is found out soon. */
export const isLinear = (run: Run, make: Make): boolean => [2_000, 100_000].every((length) => growsLinearly(run, make, length));

const PIECES = ['a', 'A', '0', ' ', '\t ', '/', '@', ':', '.', '-', ',', '\\', '?', '#', '%', '[', '"', '_', '\n', 'a ', 'a/', '/@', ':@', 'a:', '0.', 'a-', ', ', '//', '\u202e', '\u001b[', 'Sun, ', 'http:'];
const BEGINNINGS = ['', 'http://', 'http://a/', 'Sun, 06 Nov 1994 '];

/** Texts that make careless patterns try again and again: what comes last fits nothing. */
const HOSTILE = PIECES.flatMap((piece) =>
  BEGINNINGS.map((before) => {
    const make: Make = (length) => `${before}${piece.repeat(length / piece.length)}!\u0000`;
    return { name: JSON.stringify(`${before}${piece}${piece}…`), make, short: make(2_000) };
  }),
);

/** The hostile texts that do not take linear time: of the three that take longest when they are short. */
export function slowTexts(run: Run): string[] {
  const timed = HOSTILE.map((text) => ({ ...text, time: timeOf(run, text.short) }));
  const slowest = timed.sort((a, b) => b.time - a.time).slice(0, 3);
  return slowest.filter(({ make }) => !isLinear(run, make)).map(({ name }) => name);
}
