import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { createShortcutTrial, setupShortcuts } from '#main/capture/shortcuts.ts';
import { globalShortcut } from '#test/desktop/double/system/global-shortcut.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const { press, register } = globalShortcut;
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(globalShortcut, 'register').mockImplementation((keys, callback) => {
    if (keys === 'Alt+T') return false; // another program's
    return register(keys, callback);
  });
});
afterEach(() => {
  globalShortcut.unregisterAll();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

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
    actions: {
      upload: (inverted) => void pressed.push(inverted ? 'upload inverted' : 'upload'),
      capture: (inverted) => void pressed.push(inverted ? 'capture inverted' : 'capture'),
      record: (inverted) => void pressed.push(inverted ? 'record inverted' : 'record'),
    },
    onRefused: (keys) => void refused.push(keys),
    portal,
  });
  const choose = (change: Partial<Preferences>) => {
    current = { ...current, ...change };
    for (const listener of listeners) listener(current);
  };
  const states = () => [shortcuts.upload.state(), shortcuts.capture.state()];
  return { choose, states, onChange: shortcuts.onChange, pressed, refused };
}

test('each shortcut does its own job, and follows its preference', () => {
  const { choose, states, pressed } = setup({ shortcut: 'Alt+U', captureShortcut: 'Alt+C' });
  press('Alt+U');
  press('Alt+C');
  expect(pressed).toEqual(['upload', 'capture']);
  expect(states()).toEqual(['active', 'active']);
  choose({ shortcut: null, captureShortcut: 'Alt+U' });
  press('Alt+U');
  expect(pressed).toEqual(['upload', 'capture', 'capture']);
  expect([press('Alt+C'), press('Alt+U')]).toEqual([false, true]);
  expect(states()).toEqual(['none', 'active']);
});

test('the same keys under another name stay registered', () => {
  const { choose, states, pressed } = setup({ shortcut: 'CommandOrControl+Shift+U', captureShortcut: 'Shift+Control+U' });
  expect(states()).toEqual(['active', process.platform === 'darwin' ? 'active' : 'refused']);
  const common = process.platform === 'darwin' ? 'Command' : 'Control';
  const unregister = vi.spyOn(globalShortcut, 'unregister');
  choose({ shortcut: `Shift+${common}+U` });
  expect(unregister).not.toHaveBeenCalled();
  expect(states()[0]).toBe('active');
  choose({ shortcut: 'Alt+U' });
  press('Alt+U');
  expect(pressed).toEqual(['upload']);
  expect(press('CommandOrControl+Shift+U')).toBe(false);
});

test.each(['Alt+T', 'not keys', 'Alt+U'])('reports that %s is refused: taken, invalid or the other one’s', (keys) => {
  const { choose, states, refused } = setup({ shortcut: 'Alt+U', captureShortcut: keys });
  expect(states()).toEqual(['active', 'refused']);
  expect(refused).toEqual([keys]);
  choose({ captureShortcut: 'Alt+X' });
  expect(states()).toEqual(['active', 'active']);
});

test.each([
  [true, 'unchecked'],
  [false, 'unsupported'],
])('under Wayland, claims nothing, and says when it knows whether the desktop offers any (portal: %s)', async (offered, state) => {
  const { states, onChange } = setup({ shortcut: 'Alt+U', captureShortcut: 'Alt+T' }, Promise.resolve(offered));
  const change = vi.fn();
  onChange(change);
  await turn();
  expect(change).toHaveBeenCalledOnce();
  expect(states()).toEqual([state, 'refused']);
});

test('under Wayland, where shortcuts can’t be unregistered, those that were changed or removed do nothing', () => {
  vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', 'shortcuts-stay');
  const { choose, pressed } = setup({ shortcut: 'Alt+U', captureShortcut: null }, Promise.resolve(true));
  choose({ shortcut: 'Alt+V' });
  expect([press('Alt+U'), press('Alt+V')]).toEqual([true, true]);
  expect(pressed).toEqual(['upload']);
  choose({ shortcut: null });
  press('Alt+V');
  expect(pressed).toEqual(['upload']);
  choose({ captureShortcut: 'Alt+U' });
  press('Alt+U');
  expect(pressed).toEqual(['upload', 'capture']);
});

test('under Wayland, which gives keys twice, two shortcuts never share them', () => {
  vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', 'shortcuts-stay');
  const { states, pressed } = setup({ shortcut: 'Alt+U', captureShortcut: 'Alt+U' }, Promise.resolve(true));
  press('Alt+U');
  expect([states(), pressed]).toEqual([['unchecked', 'refused'], ['upload']]);
});

test('a shortcut that never fires isn’t claimed to work', async () => {
  vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', 'shortcuts-never-fire');
  const { states, pressed } = setup({ shortcut: 'Alt+U' }, Promise.resolve(true));
  await turn();
  expect(press('Alt+U')).toBe(true);
  expect([states()[0], pressed]).toEqual(['unchecked', []]);
});

test('one key more inverts a shortcut, unless the user has chosen those keys for the other one', () => {
  const { choose, pressed } = setup({ shortcut: 'Control+U', captureShortcut: 'Alt+C' });
  press('Control+Alt+U');
  press('Alt+Shift+C');
  expect(pressed).toEqual(['upload inverted', 'capture inverted']);
  choose({ captureShortcut: 'Control+Alt+U' });
  press('Control+Alt+U');
  press('Control+Alt+Shift+U');
  expect(pressed.slice(2)).toEqual(['capture', 'capture inverted']);
  expect(press('Alt+Shift+C')).toBe(false);
  choose({ shortcut: null });
  press('Control+Alt+U');
  expect(pressed.at(-1)).toBe('capture');
});

test.each(['F5', 'PrintScreen', 'Control+F12', 'Alt+F24', 'Super+PrintScreen'])(
  'under Wayland, %s isn’t registered, since the portal can’t know it, and the settings say so',
  async (keys) => {
    vi.stubEnv('WAYLAND_DISPLAY', 'wayland-9');
    const { choose, states, refused, pressed } = setup({ shortcut: keys }, Promise.resolve(true));
    await turn();
    expect([press(keys), states(), refused]).toEqual([false, ['unknown', 'none'], []]);
    choose({ shortcut: 'Control+Alt+Home' });
    press('Control+Alt+Home');
    expect([states(), pressed]).toEqual([['unchecked', 'none'], ['upload']]);
  },
);

test('keys are compared by what they mean, not by what they are called', () => {
  const { states, refused } = setup({ shortcut: 'CommandOrControl+Shift+U', captureShortcut: 'Shift+Control+U' });
  expect([states(), refused]).toEqual([['active', 'refused'], ['Shift+Control+U']]);
});

describe('before there are shortcuts', () => {
  const trial = (chosen: Partial<Preferences> = {}, portal?: Promise<boolean>) =>
    createShortcutTrial({
      preferences: { get: () => ({ ...DEFAULT_PREFERENCES, ...chosen }), onChange: () => undefined } as unknown as PreferenceStore,
      portal,
    });
  const hold = (...taken: string[]) =>
    vi.spyOn(globalShortcut, 'register').mockImplementation((keys, callback) => !taken.includes(keys) && register(keys, callback));

  test('the first keys that are free are suggested, and stay free', async () => {
    expect(await trial().suggest()).toEqual({ keys: 'CommandOrControl+Shift+2', state: 'active' });
    expect(globalShortcut.isRegistered('CommandOrControl+Shift+2')).toBe(false);
    hold('CommandOrControl+Shift+2');
    expect(await trial().suggest()).toEqual({ keys: 'CommandOrControl+Shift+1', state: 'active' });
    expect(await trial({ shortcut: 'Shift+CommandOrControl+1' }).suggest()).toEqual({ keys: 'CommandOrControl+Shift+9', state: 'active' });
    hold('CommandOrControl+Shift+2', 'CommandOrControl+Shift+1', 'CommandOrControl+Shift+9');
    expect(await trial().suggest()).toEqual({ keys: null, state: 'none' });
    expect(await trial({ captureShortcut: 'Alt+C' }).suggest()).toEqual({ keys: 'Alt+C', state: 'active' });
    expect(await trial().try('Alt+T')).toBe('active');
  });

  test('under Wayland, nothing is tried: the desktop would ask', async () => {
    const tried = vi.spyOn(globalShortcut, 'register');
    expect(await trial({}, Promise.resolve(true)).suggest()).toEqual({ keys: 'CommandOrControl+Shift+2', state: 'unchecked' });
    expect(await trial({}, Promise.resolve(true)).try('F1')).toBe('unknown');
    expect(await trial({}, Promise.resolve(false)).suggest()).toEqual({ keys: null, state: 'unsupported' });
    expect(tried).not.toHaveBeenCalled();
  });
});
