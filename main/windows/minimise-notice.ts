import type { Notify } from '#main/base/system/notifications.ts';
import type { Texts } from '#main/texts/en.ts';

/** Notifies the user once that the app keeps running after its window was closed, in the tray or minimised. */
export function notifyOfMinimising(notify: Notify, texts: () => Texts) {
  return (how: 'hidden' | 'minimized'): void => {
    const { stillRunningTitle, stillRunningBody, noTrayTitle, noTrayBody } = texts();
    if (how === 'hidden') notify({ title: stillRunningTitle, body: stillRunningBody, hint: 'closes-to-tray' });
    else notify({ title: noTrayTitle, body: noTrayBody, hint: 'minimizes' });
  };
}
