import { lstat } from 'node:fs/promises';
import type { Folder } from '#main/journal/folders.ts';
import type { Item } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import { troubleOf } from '#main/watcher/folder-health.ts';
import { isMissing } from './content.ts';

/** Rows of the queue compared with the disk at once. */
const PAGE = 500;

interface Options {
  journal: Journal;
  /** The folder as it is now. */
  folder(): Folder;
  /** The absolute path of a file of the folder. */
  pathOf(relPath: string): string;
  /** Looks at a file soon. */
  touch(relPath: string): void;
}

/** Files of a watch folder that disappear before they are sent. */
export interface RemovedFiles {
  /** Takes a file that isn't there any more out of the queue, unless it is being sent. */
  note(relPath: string): Promise<void>;
  /** Does so with all files that are gone. */
  find(signal: AbortSignal): Promise<void>;
}

export function createRemovedFiles({ journal, folder, pathOf, touch }: Options): RemovedFiles {
  const { seen, events, items } = journal;
  const isWaiting = (item: Item | undefined): item is Item => item?.state === 'queued' || item?.state === 'paused';

  async function note(relPath: string) {
    const { id } = folder();
    const known = seen.get(id, relPath);
    const item = known?.outcome === 'queued' && known.itemId !== undefined ? items.get(known.itemId) : undefined;
    if (!isWaiting(item)) return;
    // Nothing is gone from a folder that can't be reached.
    if ((await troubleOf(folder())) || !isWaiting(items.get(item.id))) return;
    journal.commit(() => {
      items.changed(item.id);
      events.add(id, relPath, 'gone');
    });
    for (const copy of seen.reviveCopies(id)) touch(copy);
  }

  return {
    note,
    async find(signal) {
      const { id } = folder();
      let last = '';
      for (;;) {
        const page = seen.queued(id, last, PAGE);
        for (const { relPath } of page) {
          const isRemoved = await lstat(pathOf(relPath)).then(() => false, isMissing);
          if (signal.aborted) return;
          if (isRemoved) await note(relPath);
        }
        if (page.length < PAGE) return;
        last = page.at(-1)?.relPath ?? '';
      }
    },
  };
}
