import Store from 'electron-store';
import { z } from 'zod';

/** Far more than anybody copies in a day. */
const MAX_MARKS = 1_000;

/** The marks of pictures, remembered between starts. */
export interface SeenMarks {
  has(mark: string): boolean;
  add(mark: string): void;
}

/** Opens `seen-pictures.json` in the app's folder, which holds no pictures, only hashes of the latest ones. */
export function openSeenMarks(): SeenMarks {
  const store = new Store<Record<string, unknown>>({ name: 'seen-pictures', clearInvalidConfig: true });
  const stored = z.array(z.string()).safeParse(store.get('marks'));
  const marks = new Set(stored.data ?? []);
  return {
    has: (mark) => marks.has(mark),
    add(mark) {
      if (marks.has(mark)) return;
      marks.add(mark);
      for (const old of [...marks].slice(0, -MAX_MARKS)) marks.delete(old);
      store.set('marks', [...marks]);
    },
  };
}
