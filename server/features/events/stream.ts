import type { ServerResponse } from 'node:http';
import type { EventData, EventKind } from '#api/events.ts';
import type { LibraryChange } from '#server/core/journal/changes.ts';

/** Changes that arrive together are sent together: an import stores dozens of pictures a second. */
const GATHER_MS = 100;
/** Keys that wait to be sent. With more, the client reads its lists again. */
const MAX_KEYS = 1_000;

/** What no list shows as new: a client that reads everything again wouldn't learn of it. */
export const NOTICES: readonly EventKind[] = ['request.received', 'sent.received'];

/** What waits: `others` are the keys of other users' pictures and albums, which become those of shared albums. */
type Gathered = EventKind | 'others';

const isNotice = (kind: Gathered) => NOTICES.some((notice) => notice === kind);

/** One client's open stream. What waits for a slow client takes no more memory than {@link MAX_KEYS} keys. */
export interface Stream {
  /** @param number of the change; undefined: some may have been missed */
  add(change: LibraryChange | undefined, number: number): void;
  /** Adds a change to another user's pictures or albums, which the client learns of if it concerns an album that is shared with them. */
  addOfOther(change: LibraryChange, number: number): void;
  heartbeat(): void;
}

interface Options {
  idOf(number: number): string;
  /** Called before each event is sent; false ends the stream. */
  mayStillSend(kind: EventKind): Promise<boolean>;
  /** Called before anything is sent of other users: the albums shared with the client that are among these, or that these images are in. */
  sharedAlbums(keys: readonly string[]): Promise<readonly string[]>;
  /** The number of the latest change that the client knows. */
  from: number;
}

export function createStream(response: ServerResponse, { idOf, mayStillSend, sharedAlbums, from }: Options): Stream {
  const waiting = new Map<Gathered, Set<string>>();
  let upTo = from;
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;

  function gather(kind: Gathered, keys: readonly string[]) {
    if (waiting.has('resync') && !isNotice(kind)) return;
    const known = waiting.get(kind) ?? new Set();
    for (const key of keys) known.add(key);
    waiting.set(kind, known);
    const total = [...waiting.values()].reduce((sum, { size }) => sum + size, 0);
    if (kind !== 'resync' && total <= MAX_KEYS) return;
    const notices = [...waiting].filter(([one, { size }]) => isNotice(one) && size <= MAX_KEYS);
    waiting.clear();
    waiting.set('resync', new Set());
    for (const [one, waited] of notices) waiting.set(one, waited);
  }

  function send(kind: EventKind, keys: Iterable<string>, id = '') {
    const data: EventData = { keys: [...keys] };
    response.write(`${id && `id: ${id}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async function flush() {
    timer = undefined;
    // A slow client gets what has gathered once it has read the rest.
    if (isSending || response.writableNeedDrain) return;
    isSending = true;
    try {
      while (waiting.size > 0 && !response.writableNeedDrain && !response.destroyed) await sendNext();
    } catch {
      response.end(); // the database can't say whether the client may see it; it connects again
    }
    isSending = false;
  }

  async function sendNext() {
    const [[kind, keys] = ['resync' as Gathered, new Set<string>()]] = waiting;
    waiting.delete(kind);
    if (kind === 'others') {
      const albums = await sharedAlbums([...keys]);
      if (albums.length > 0) gather('album.changed', albums);
      return;
    }
    // Its id comes with the last of what has gathered: a client that misses some of it gets all of it again.
    const id = waiting.size === 0 ? idOf(upTo) : '';
    if (await mayStillSend(kind)) send(kind, keys, id);
  }

  response.on('drain', () => void flush());
  response.once('close', () => clearTimeout(timer));
  return {
    add(change, number) {
      upTo = number;
      gather(change?.kind ?? 'resync', change?.keys ?? []);
      timer ??= setTimeout(() => void flush(), GATHER_MS);
    },
    addOfOther({ keys }, number) {
      upTo = number;
      gather('others', keys);
      timer ??= setTimeout(() => void flush(), GATHER_MS);
    },
    heartbeat() {
      if (waiting.size === 0 && !isSending && !response.writableNeedDrain) send('heartbeat', [], idOf(upTo));
    },
  };
}
