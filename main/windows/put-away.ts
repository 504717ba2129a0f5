import type { Notify } from '#main/base/notifications.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Texts } from '#main/texts/en.ts';

/** Says once where the app is after its window was closed. */
export function explainPutAway(preferences: Pick<PreferenceStore, 'firstTime'>, notify: Notify, texts: () => Texts) {
  return (how: 'hidden' | 'minimized'): void => {
    const { stillRunningTitle, stillRunningBody, noTrayTitle, noTrayBody } = texts();
    if (how === 'hidden' && preferences.firstTime('closes-to-tray')) notify({ title: stillRunningTitle, body: stillRunningBody });
    if (how === 'minimized' && preferences.firstTime('minimizes')) notify({ title: noTrayTitle, body: noTrayBody });
  };
}
