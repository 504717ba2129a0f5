import { expect, test, vi } from 'vitest';
import { setupPreferences } from '#main/base/preferences.ts';

const stored = vi.hoisted(() => ({ preferences: {} as unknown }));
vi.mock('electron-store', () => ({
  default: class {
    get() {
      return stored.preferences;
    }
  },
}));

test.each([
  ['new ones', undefined, { captureCards: true, notifications: true }],
  ['notifications turned off before there were cards', { notifications: false }, { captureCards: false, notifications: false }],
  ['and cards turned on since', { notifications: false, captureCards: true }, { captureCards: true, notifications: false }],
  ['invalid ones', { notifications: 'no', cardSeconds: 7 }, { captureCards: true, notifications: true, cardSeconds: 10 }],
])('preferences: %s', (_what, preferences, expected) => {
  stored.preferences = preferences;
  expect(setupPreferences().get()).toMatchObject(expected);
});
