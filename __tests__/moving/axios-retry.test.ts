// Programs written for axios-retry, on the real one and on the drop-in: the same requests, waits, notes and results.
import * as real from 'axios-retry';
import * as dropIn from 'axios-jitter/axios-retry';
import { programs, type AxiosRetryModule } from './services/for-axios-retry';
import { sideBySide } from './services/side-by-side';

const peers = { real: real as AxiosRetryModule, dropIn: dropIn as unknown as AxiosRetryModule };

describe('a program written for axios-retry does the same on axios-jitter/axios-retry', () => {
  it.each(programs)('%s', async (_title, program) => {
    const seen = await sideBySide(peers, program);
    expect(seen.dropIn).toEqual(seen.real);
  });
});
