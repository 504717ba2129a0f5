import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { setupShortcuts } from '#main/capture/shortcuts.ts';

const system = vi.hoisted(() => ({ taken: 'Alt+T', registered: new Map<string, () => void>() }));
vi.mock('electron', () => ({
  globalShortcut: {
    register(keys: string, press: () => void) {
      if (keys === 'invalid') throw new TypeError('conversion failure');
      if (keys === system.taken || system.registered.has(keys)) return false;
      system.registered.set(keys, press);
      return true;
    },
    unregister: (keys: string) => void system.registered.delete(keys),
  },
}));
afterEach(() => system.registered.clear());

function setup(chosen: Partial<Preferences>, portal?: Promise<boolean>) {
  let current = { ...DEFAULT_PREFERENCES, ...chosen };
  const listeners: ((next: Preferences) => void)[] = [];
  const pressed: string[] = [];
  const refused: string[] = [];
  const shortcuts = setupShortcuts({
    preferences: { get: () => current, onChange: (listener) => void listeners.push(listener) } as Pick<
      PreferenceStore,
      'get' | 'onChange'
    > as PreferenceStore,
    actions: { upload: () => void pressed.push('upload'), capture: () => void pressed.push('capture') },
    onRefused: (keys) => void refused.push(keys),
    portal,
  });
  const choose = (change: Partial<Preferences>) => {
    current = { ...current, ...change };
    for (const listener of listeners) listener(current);
  };
  const states = () => [shortcuts.upload.state(), shortcuts.capture.state()];
  return { choose, states, pressed, refused };
}

test('each shortcut does its own job, and follows its preference', () => {
  const { choose, states, pressed } = setup({ shortcut: 'Alt+U', captureShortcut: 'Alt+C' });
  system.registered.get('Alt+U')?.();
  system.registered.get('Alt+C')?.();
  expect(pressed).toEqual(['upload', 'capture']);
  expect(states()).toEqual(['active', 'active']);
  choose({ shortcut: null, captureShortcut: 'Alt+U' });
  system.registered.get('Alt+U')?.();
  expect(pressed).toEqual(['upload', 'capture', 'capture']);
  expect([...system.registered.keys()]).toEqual(['Alt+U']);
  expect(states()).toEqual(['none', 'active']);
});

test.each(['Alt+T', 'invalid', 'Alt+U'])('reports that %s is refused: taken, invalid or the other one’s', (keys) => {
  const { choose, states, refused } = setup({ shortcut: 'Alt+U', captureShortcut: keys });
  expect(states()).toEqual(['active', 'refused']);
  expect(refused).toEqual([keys]);
  choose({ captureShortcut: 'Alt+X' });
  expect(states()).toEqual(['active', 'active']);
});

test.each([
  [true, 'unchecked'],
  [false, 'unsupported'],
])('under Wayland, claims nothing (portal: %s)', async (offered, state) => {
  const { states } = setup({ shortcut: 'Alt+U', captureShortcut: 'Alt+T' }, Promise.resolve(offered));
  await turn();
  expect(states()).toEqual([state, 'refused']);
});
