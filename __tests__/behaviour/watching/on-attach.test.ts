import axios from '../../helpers/axios';
import { attachRetry, type RetryObserver } from '../../../lib/index';

function attachObserver(api = axios.create()) {
  const log: string[] = [];
  const observer: RetryObserver = {
    onAttach: () => {
      log.push('attached');
      return () => log.push('released');
    },
  };
  return { api, log, observer, handle: attachRetry(api, { observers: [observer] }) };
}

it('onAttach is told once for each attachRetry, with a handle whose stats are that attachment’s', async () => {
  const api = axios.create({ adapter: (config) => Promise.resolve({ status: 200, statusText: '', headers: {}, data: '', config }) });
  const seen: { stats(): object }[] = [];
  const observers = [{ onAttach: (handle: { stats(): object }) => void seen.push(handle) }];
  attachRetry(api, { observers });
  await api.get('http://a.example/');
  attachRetry(api, { observers });
  expect(seen.map((handle) => handle.stats())).toMatchObject([{ calls: 1 }, { calls: 0 }]);
});

it('stats() can be asked in onAttach', () => {
  const seen: object[] = [];
  attachRetry(axios.create(), { observers: [{ onAttach: (handle) => void seen.push(handle.stats()) }] });
  expect(seen).toMatchObject([{ calls: 0, waiting: 0, circuits: [], pauses: [] }]);
});

it('what it returns is called at detach, once', () => {
  const { log, handle } = attachObserver();
  expect(log).toEqual(['attached']);
  handle.detach();
  handle.detach();
  expect(log).toEqual(['attached', 'released']);
});

it('what it returns is called when a later attachRetry replaces this one, and not again by the old handle', () => {
  const { api, log, handle } = attachObserver();
  const later = attachRetry(api);
  expect(log).toEqual(['attached', 'released']);
  handle.detach();
  later.detach();
  expect(log).toEqual(['attached', 'released']);
});

it('what it returns is called when the interceptors were cleared and attachRetry begins anew', () => {
  const { api, log } = attachObserver();
  api.interceptors.request.clear();
  attachRetry(api);
  expect(log).toEqual(['attached', 'released']);
});

it.each(['throws', 'rejects'])('what it %s changes nothing and is reported; so is what its result throws', async (how) => {
  const broken = new Error('observer broke');
  const onObserverError = jest.fn();
  const onAttach = (): never => {
    if (how === 'throws') throw broken;
    return Promise.reject(broken) as never;
  };
  const onRelease = { onAttach: () => () => { throw broken; } };
  const { detach } = attachRetry(axios.create(), { observers: [{ onAttach }, onRelease], onObserverError });
  detach();
  await new Promise((resolve) => setImmediate(resolve));
  expect(onObserverError.mock.calls).toHaveLength(2);
  expect(onObserverError.mock.calls).toEqual([[broken, undefined], [broken, undefined]]);
});

it('wrong options attach nothing, and leave what was attached', () => {
  const { api, log } = attachObserver();
  const onAttach = jest.fn();
  expect(() => attachRetry(api, { observers: [{ onAttach }], retries: -1 })).toThrow(RangeError);
  expect(onAttach).not.toHaveBeenCalled();
  expect(log).toEqual(['attached']);
});

it.each(['onAttach', 'onCall'])('%s that is no function, or that stands beside `observers`, is refused', (name) => {
  expect(() => attachRetry(axios.create(), { observers: [{ [name]: 1 }] })).toThrow(/option "observers"/);
  expect(() => attachRetry(axios.create(), { [name]: () => undefined })).toThrow(new RegExp(`unknown option "${name}"`));
});
