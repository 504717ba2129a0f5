import type { Notify } from '#main/base/system/notifications.ts';
import { LANE } from '#main/journal/item.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Uploader } from './uploader.ts';

/** Maximum number of open uploads that are counted. */
const MAX_COUNTED = 1_000;

/** Notifies the user who quits that uploads will continue, if they started some of them. */
export function notifyOfUnsent(uploader: Pick<Uploader, 'list'>, notify: Notify, texts: () => Texts): void {
  const waiting = uploader.list('open', MAX_COUNTED, 0).filter(({ lane }) => lane === LANE.person).length;
  if (waiting > 0) notify({ title: texts().keptTitle(waiting), body: texts().keptBody(waiting) });
}
