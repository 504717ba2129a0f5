import type { Notify } from '#main/base/notifications.ts';
import type { Texts } from '#main/texts/en.ts';

/** Says once where the app is after its window was closed. */
export function explainPutAway(notify: Notify, texts: () => Texts) {
  return (how: 'hidden' | 'minimized'): void => {
    const { stillRunningTitle, stillRunningBody, noTrayTitle, noTrayBody } = texts();
    if (how === 'hidden') notify({ title: stillRunningTitle, body: stillRunningBody, hint: 'closes-to-tray' });
    else notify({ title: noTrayTitle, body: noTrayBody, hint: 'minimizes' });
  };
}
