import type { Clipboard } from 'electron';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { Clock } from '#main/base/clock.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { ClipboardContent } from './clipboard.ts';
import { createPictureLook } from './picture-look.ts';
import type { SeenMarks } from './seen-marks.ts';

/** Between looks at the types on the clipboard, which are cheap. */
const INTERVAL_MS = 1_000;
/** Between two readings of what may be the same picture. */
const PAUSE_MS = { min: 5_000, max: 60_000 };
/** Reading takes at most a sixtieth of the time. */
const COSTS = 60;

interface Options {
  clipboard: Pick<Clipboard, 'read'>;
  preferences: Pick<PreferenceStore, 'onChange'> & { get(): Pick<Preferences, 'watchClipboard'> };
  /** Under Wayland, an app in the background can't watch the clipboard. */
  available: boolean;
  /** Pictures of all runs that mustn't be uploaded again. */
  seen: SeenMarks;
  clock: Clock;
  upload(content: ClipboardContent): Promise<void>;
}

/** Uploads pictures that are copied, each once. Text and files are left alone, and so is what Pixdock copies itself: links. */
export interface ClipboardWatch {
  available: boolean;
  /** Notes a picture that something else uploads. */
  note(content: ClipboardContent): void;
  /** Doesn't look at the clipboard until `action` is over. */
  without<T>(action: () => Promise<T>): Promise<T>;
}

/** Watches while the preference is on. The picture that is there when it starts isn't new. */
export function setupClipboardWatch({ clipboard, preferences, available, seen, clock, upload }: Options): ClipboardWatch {
  let running = false;
  let cancel: () => void = () => undefined;
  let held = 0;

  const note = ({ picture, mark }: ClipboardContent) => {
    if (picture) seen.add(mark);
  };

  const picture = createPictureLook({ clipboard, clock, pause: PAUSE_MS, costs: COSTS });

  async function look(isFirst: boolean) {
    if (held > 0) return;
    const content = await picture();
    // A capture may have been opened in the meantime: it notes its picture itself.
    if (!content?.picture || held > 0 || !running) return;
    if (!isFirst && !seen.has(content.mark)) {
      note(content);
      await upload(content);
    }
    note(content);
  }

  function plan(milliseconds: number, isFirst: boolean) {
    cancel = clock.after(milliseconds, () => {
      look(isFirst)
        .then(
          () => INTERVAL_MS,
          (error: unknown) => {
            console.error('Couldn’t check the clipboard:', error);
            return PAUSE_MS.min;
          },
        )
        .then((next) => {
          if (running) plan(next, false);
        });
    });
  }

  function apply({ watchClipboard }: Pick<Preferences, 'watchClipboard'>) {
    const shouldRun = watchClipboard && available;
    if (shouldRun === running) return;
    running = shouldRun;
    if (running) plan(0, true);
    else cancel();
  }

  preferences.onChange(apply);
  apply(preferences.get());
  return {
    available,
    note,
    async without(action) {
      held += 1;
      try {
        return await action();
      } finally {
        held -= 1;
      }
    },
  };
}
