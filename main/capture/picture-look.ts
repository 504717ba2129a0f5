import type { Clipboard } from 'electron';
import type { Clock } from '#main/base/clock.ts';
import { type ClipboardContent, contentOf } from './clipboard.ts';
import { pictureTypes } from './clipboard-types.ts';

interface Options {
  clipboard: Pick<Clipboard, 'read'>;
  clock: Clock;
  /** Milliseconds between two readings of what may be the same picture, at least and at most. */
  pause: { min: number; max: number };
  /** The same pause, as a multiple of the time that reading took. */
  costs: number;
}

/**
 * Looks for pictures on the clipboard again and again. Electron doesn't report changes, and to tell a picture from the one before, it must be
 * read, which has Electron encode and decode it in this process. So a picture is read when the types on the clipboard have changed, and
 * otherwise the less often the longer it takes. Returns undefined when there is no picture, or when it is too early to read it again.
 */
export function createPictureLook({ clipboard, clock, pause, costs }: Options): () => Promise<ClipboardContent | undefined> {
  let lastTypes = '';
  let readAgainAt = 0;

  return async () => {
    const items = await clipboard.read();
    const types = items.flatMap((item) => item.types);
    const isSame = lastTypes === types.join('\n');
    lastTypes = types.join('\n');
    if (pictureTypes(types).length === 0 || (isSame && clock.now() < readAgainAt)) return undefined;
    const start = clock.now();
    readAgainAt = start + pause.min; // also if reading fails
    const content = await contentOf(items);
    readAgainAt = clock.now() + Math.min(pause.max, Math.max(pause.min, (clock.now() - start) * costs));
    return content;
  };
}
