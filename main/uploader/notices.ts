import type { Clock } from '#main/base/clock.ts';
import type { Failure } from '#main/base/reasons.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import { LANE } from '#main/journal/item.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Uploader } from './uploader.ts';

/** Maximum number of open uploads that are counted. */
const MAX_COUNTED = 1_000;
/** The time that a service has to start, or to come back, before the user is told. */
const PATIENCE_MS = 5_000;

const ofPersons = (uploader: Pick<Uploader, 'list'>) =>
  uploader.list('open', MAX_COUNTED, 0).filter(({ lane }) => lane === LANE.person).length;

/** Notifies the user who quits that uploads will continue, if they started some of them. */
export function notifyOfUnsent(uploader: Pick<Uploader, 'list'>, notify: Notify, texts: () => Texts): void {
  const waiting = ofPersons(uploader);
  if (waiting > 0) notify({ title: texts().keptTitle(waiting), body: texts().keptBody(waiting) });
}

interface Options {
  uploader: Pick<Uploader, 'list' | 'summary' | 'waitsFor' | 'onChange'>;
  clock: Clock;
  notify: Notify;
  texts(): Texts;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  /** Whether a card shows an upload, and that it waits. */
  hasCard(id: string): boolean;
  /** Shows the window, on a page of the application. */
  open(page: string): void;
}

/** Notifies the user once when uploads that they started begin to wait, with the reason. A service that is only starting isn't one. */
export function notifyOfWaiting({ uploader, clock, notify, texts, describe, hasCard, open }: Options): void {
  let state: 'fine' | 'noticed' | 'told' = 'fine';
  const untold = () =>
    uploader.list('open', MAX_COUNTED, 0).filter(({ id, lane, state }) => lane === LANE.person && state !== 'paused' && !hasCard(id))
      .length;
  const isWaiting = () => {
    const { isWaiting, isPaused } = uploader.summary();
    return isWaiting && !isPaused && untold() > 0;
  };

  function tell() {
    const failure = uploader.waitsFor();
    if (state !== 'noticed' || !failure || !isWaiting()) {
      state = 'fine';
      return;
    }
    state = 'told';
    const title = texts().uploadsWaiting(untold());
    notify({ title, body: describe(failure), failure: true, type: 'failed', onClick: () => open('/uploads') });
  }

  uploader.onChange(() => {
    if (!uploader.summary().isWaiting) state = 'fine';
    else if (state === 'fine' && isWaiting()) {
      state = 'noticed';
      clock.after(PATIENCE_MS, tell);
    }
  });
}

type PausedOptions = Pick<Options, 'notify' | 'texts' | 'open'> & { uploader: Pick<Uploader, 'list' | 'summary' | 'onChange'> };

/** Notifies the user of each of their uploads that a pause holds back: a shortcut would seem to do nothing. */
export function notifyOfPaused({ uploader, notify, texts, open }: PausedOptions): void {
  let known = ofPersons(uploader);
  uploader.onChange(() => {
    const count = ofPersons(uploader);
    const isHeldBack = count > known && uploader.summary().isPaused;
    known = count;
    if (!isHeldBack) return;
    notify({ title: texts().uploadsPaused(0), body: texts().pausedHint(count), type: 'failed', onClick: () => open('/uploads') });
  });
}
