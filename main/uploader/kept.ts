import type { Notify } from '#main/base/notifications.ts';
import { LANE } from '#main/journal/item.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Uploader } from './uploader.ts';

/** How many open uploads are looked at. */
const MAX_COUNTED = 1_000;

/** Says when the app quits that uploads will continue, when a person waits for some of them. */
export function explainKept(uploader: Pick<Uploader, 'list'>, notify: Notify, texts: () => Texts): void {
  const waiting = uploader.list('open', MAX_COUNTED, 0).filter(({ lane }) => lane === LANE.person).length;
  if (waiting > 0) notify({ title: texts().keptTitle(waiting), body: texts().keptBody(waiting) });
}
