import { afterEach, expect, test, vi } from 'vitest';
import { hostileTraits, isHostile } from '#test/desktop/double/traits.ts';

const given = (traits: string) => vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', traits);
afterEach(() => vi.unstubAllEnvs());

test('traits are on alone, together, or all that don’t hide others; an unknown one is an error', () => {
  given('');
  expect(hostileTraits()).toEqual([]);
  given('tray-late,sleeps');
  expect([isHostile('tray-late'), isHostile('sleeps'), isHostile('tray-never')]).toEqual([true, true, false]);
  given('all');
  expect([isHostile('tray-late'), isHostile('notifications-fail'), isHostile('tray-never')]).toEqual([true, true, false]);
  given('tray-lat');
  expect(hostileTraits).toThrow('no such trait: tray-lat');
});
