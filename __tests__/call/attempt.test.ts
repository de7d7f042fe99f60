import { inspect } from 'node:util';
import axios from 'axios';
import { RetryState } from '../../lib/index';
import { Attempt } from '../../lib/call/attempt';

const second = new Attempt(2);

describe('RetryState', () => {
  it('carries the number of the attempt', () => {
    expect(new RetryState(second).attempt).toBe(2);
  });

  it('shows the number and nothing else: in JSON, in util.inspect, among its keys', () => {
    const state = new RetryState(second);
    expect(JSON.stringify(state)).toBe('{"attempt":2}');
    expect(inspect(state, { showHidden: true, depth: 9 })).toBe('RetryState { attempt: 2 }');
    expect(Object.keys(state)).toEqual(['attempt']);
  });

  it('is passed on by axios as the very object when it merges configs', async () => {
    const state = new RetryState(second);
    const api = axios.create({ adapter: async (config) => ({ data: '', status: 200, statusText: '', headers: {}, config }) });
    const { config } = await api.get('/orders', { retryState: state });
    expect(config.retryState).toBe(state);
  });

  it('leads back to its attempt', () => {
    expect(RetryState.attemptOf(new RetryState(second))).toBe(second);
  });

  it.each([undefined, null, 2, 'RetryState', {}, { attempt: 2 }, [], () => 2])('knows what is not one: %p', (value) => {
    expect(RetryState.attemptOf(value)).toBeUndefined();
  });

  it('cannot be made up: neither from JSON nor from its prototype', () => {
    const state = new RetryState(second);
    expect(RetryState.attemptOf(JSON.parse(JSON.stringify(state)))).toBeUndefined();
    expect(RetryState.attemptOf({ ...state })).toBeUndefined();
    expect(RetryState.attemptOf(Object.create(state))).toBeUndefined();
  });
});
