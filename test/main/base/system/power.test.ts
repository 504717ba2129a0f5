import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { onResume, setupKeepAwake } from '#main/base/system/power.ts';
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

test('keeps the computer awake while it shares, only on mains power and only when the setting is on', () => {
  let preferences = { ...DEFAULT_PREFERENCES, keepAwake: true };
  let changed: () => void = vi.fn();
  onBattery.mockReturnValue(false);
  setupKeepAwake({
    get: () => preferences,
    onChange: (listener) => {
      changed = () => listener(preferences);
    },
  });
  expect(start).not.toHaveBeenCalled();
  preferences = { ...preferences, lan: true };
  changed();
  changed();
  expect(start).toHaveBeenCalledExactlyOnceWith('prevent-app-suspension');
  onBattery.mockReturnValue(true);
  powerMonitor.emit('on-battery');
  expect(stop).toHaveBeenCalledOnce();
  onBattery.mockReturnValue(false);
  powerMonitor.emit('on-ac');
  expect(start).toHaveBeenCalledTimes(2);
  preferences = { ...preferences, keepAwake: false };
  changed();
  expect(stop).toHaveBeenCalledTimes(2);
});

test('reports that the computer has woken up', () => {
  const listener = vi.fn();
  onResume(listener);
  powerMonitor.emit('resume');
  expect(listener).toHaveBeenCalledOnce();
});
