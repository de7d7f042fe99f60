// Programs written for retry-axios, on the real one and on the drop-in: the same requests, waits, notes and results.
import * as real from 'retry-axios';
import * as dropIn from 'axios-jitter/retry-axios';
import { programs, type RetryAxiosModule } from './services/for-retry-axios';
import { sideBySide } from './services/side-by-side';

const peers = { real: real as RetryAxiosModule, dropIn: dropIn as unknown as RetryAxiosModule };

describe('a program written for retry-axios does the same on axios-jitter/retry-axios', () => {
  it.each(programs)('%s', async (_title, program) => {
    const seen = await sideBySide(peers, program);
    expect(seen.dropIn).toEqual(seen.real);
  });
});
