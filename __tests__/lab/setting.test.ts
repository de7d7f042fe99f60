import fc from 'fast-check';

import { FIELDS, isSlider } from '../../lib/lab/fields';
import { toCall } from '../../lib/lab/answer';
import { INITIAL, readFragment, toFragment, toOptions, toScenario, toSetting, type Setting } from '../../lib/lab/setting';
import { simulate } from '../../lib/simulate';
import { resolveOptions } from '../../lib/options/resolve';

/** Any setting that the controls, or an address, can make. */
const settings: fc.Arbitrary<Setting> = fc.record(
  Object.fromEntries(FIELDS.map((field) => [field.name, isSlider(field) ? fc.constantFrom(...field.values) : fc.constantFrom(...field.choices)])),
) as fc.Arbitrary<Setting>;

it('begins with the defaults of the plugin', () => {
  expect(toOptions(INITIAL)).toEqual({});
  expect(toCall(toOptions(INITIAL))).toBe('attachRetry(api);');
});

it('gives back from an address what was put into it', () => {
  fc.assert(fc.property(settings, settings, (setting, base) => expect(readFragment(`#${toFragment(setting, base)}`, base)).toEqual(setting)));
});

it('takes what is unknown or out of range as it was', () => {
  fc.assert(fc.property(fc.string(), (fragment) => expect(Object.keys(readFragment(fragment, INITIAL))).toEqual(Object.keys(INITIAL))));
});

it('gives back from a scenario what was put into it', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      // To compare with the defaults is not the scenario's wish; the cap is never below the base.
      const peer = setting['peer'] === 'default' ? INITIAL['peer'] : setting['peer'];
      const maxDelay = Math.max(Number(setting['baseDelay']), Number(setting['maxDelay']));
      expect(toSetting(toScenario(setting))).toEqual({ ...setting, peer, maxDelay });
    }),
  );
});

it('moves to the end of a slider what is beyond it', () => {
  const setting = toSetting({ clients: 5_000_000, arrival: { rate: 1 }, service: { capacity: 0.5 }, outage: { length: 1e9 } });
  expect(setting).toMatchObject({ clients: 20_000, over: 60_000, capacity: 1, outage: 60_000 });
});

it('makes options that attachRetry takes, and a scenario that can be simulated', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      expect(() => resolveOptions(toOptions(setting))).not.toThrow();
      const { policies } = simulate({ ...toScenario(setting), clients: 2, arrival: 'at-once', maxRequests: 50 });
      expect(policies[0]?.policy).toBe('yours');
    }),
    { numRuns: 60 },
  );
});

it('writes the policy as code that means the same', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      const calls: unknown[][] = [];
      const attach = (...args: unknown[]): unknown => calls.push(args);
      // Only ours is run: names of options and numbers.
      new Function('attachRetry', 'api', toCall(toOptions(setting)))(attach satisfies (...args: never[]) => unknown, 'api');
      expect(calls).toEqual([Object.keys(toOptions(setting)).length === 0 ? ['api'] : ['api', toOptions(setting)]]);
    }),
  );
});
