import { powerMonitor, powerSaveBlocker } from 'electron';
import type { PreferenceStore } from '#main/base/preferences.ts';

/** Calls back when the computer has woken up: connections are gone, and files may have changed. */
export function onResume(listener: () => void): void {
  powerMonitor.on('resume', listener);
}

/** Keeps the computer awake while pictures are shared on the network, if the user wants that, and only on mains power. */
export function setupKeepAwake(preferences: Pick<PreferenceStore, 'get' | 'onChange'>): void {
  let blocker: number | undefined;

  function apply() {
    const { keepAwake, lan } = preferences.get();
    const staysAwake = keepAwake && lan && !powerMonitor.isOnBatteryPower();
    if (staysAwake) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  }

  powerMonitor.on('on-ac', apply);
  powerMonitor.on('on-battery', apply);
  preferences.onChange(apply);
  apply();
}

/** Calls `listener` now and whenever the computer changes between mains power and battery. */
export function followBattery(listener: (onBattery: boolean) => void): void {
  powerMonitor.on('on-ac', () => listener(false));
  powerMonitor.on('on-battery', () => listener(true));
  listener(powerMonitor.isOnBatteryPower());
}
