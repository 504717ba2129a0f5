import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import { followBattery, onResume, setupKeepAwake } from '#main/base/system/power.ts';
import { powerMonitor } from '#test/desktop/double/system/power-monitor.ts';
import { powerSaveBlocker } from '#test/desktop/double/system/system.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const start = vi.spyOn(powerSaveBlocker, 'start');
const stop = vi.spyOn(powerSaveBlocker, 'stop');
const onBattery = vi.spyOn(powerMonitor, 'isOnBatteryPower');

beforeEach(() => {
  vi.clearAllMocks();
  powerMonitor.removeAllListeners();
});

describe('with the setting on, a computer', () => {
  /** On mains power, not sharing yet. */
  function setUp() {
    let preferences = { ...DEFAULT_PREFERENCES, keepAwake: true };
    let changed: () => void = vi.fn();
    onBattery.mockReturnValue(false);
    setupKeepAwake({
      get: () => preferences,
      onChange: (listener) => {
        changed = () => listener(preferences);
      },
    });
    return (change: Partial<Preferences>) => {
      preferences = { ...preferences, ...change };
      changed();
    };
  }

  test('stays awake while it shares', () => {
    const set = setUp();
    expect(start).not.toHaveBeenCalled();
    set({ lan: true });
    set({});
    expect(start).toHaveBeenCalledExactlyOnceWith('prevent-app-suspension');
  });

  test('may sleep on battery', () => {
    setUp()({ lan: true });
    onBattery.mockReturnValue(true);
    powerMonitor.emit('on-battery');
    expect(stop).toHaveBeenCalledOnce();
    onBattery.mockReturnValue(false);
    powerMonitor.emit('on-ac');
    expect(start).toHaveBeenCalledTimes(2);
  });

  test('may sleep once the setting is turned off', () => {
    const set = setUp();
    set({ lan: true });
    set({ keepAwake: false });
    expect(stop).toHaveBeenCalledOnce();
  });
});

test('reports that the computer has woken up', () => {
  const listener = vi.fn();
  onResume(listener);
  powerMonitor.emit('resume');
  expect(listener).toHaveBeenCalledOnce();
});

test('reports when the computer changes between mains power and battery, and how it begins', () => {
  onBattery.mockReturnValue(true);
  const listener = vi.fn();
  followBattery(listener);
  powerMonitor.emit('on-ac');
  powerMonitor.emit('on-battery');
  expect(listener.mock.calls).toEqual([[true], [false], [true]]);
});
