import { createSecretKey } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { createSealing, seal, unseal } from './sealing.ts';
import type { Secrets } from './secrets.ts';

/** What has a number that grows with everyone's use, and is shown to users who aren't administrators. */
type Numbered = 'batch' | 'identity' | 'passkey' | 'session' | 'token';

/**
 * Stands for numbers of rows and of events, alone or in cursors, in what clients get and send back: they would tell every user how much the
 * others use the service (decision 175).
 */
export interface Opaque {
  /** Stands for the number of a row, always the same. */
  of(kind: Numbered, id: number): string;
  /** The number behind what a client has sent; 0, which no row has, for anything else. */
  idOf(kind: Numbered, sent: string): number;
  /** Stands for a moment of the service, differently each time: whether two are the same would tell whether others did anything in between. */
  momentOf(text: string): string;
  /** The text behind a moment; undefined for anything else. */
  readMoment(sent: string): string | undefined;
  /** The same data with its cursors sealed. */
  withCursors<Data>(data: Data): Promise<Data>;
  /** The same query with its cursors as the lists read them. @throws InvalidRequestError for one that no list has returned */
  readCursors<Query>(query: Query): Query;
}

/** Sealed at once, in some milliseconds. */
const AT_ONCE = 500;
/** How long a sealed text is must not tell how many digits a number has. */
const PADDING = 32;
const padded = (text: string) => text.padEnd(Math.ceil(text.length / PADDING) * PADDING);

export function createOpaque(secrets: Secrets): Opaque {
  const numbers = createSealing(secrets, 'numbers');
  const cursors = createSealing(secrets, 'cursors');
  const moments = createSecretKey(secrets.key('moments'));
  const sealCursor = (cursor: string) => cursors.seal(padded(cursor));

  async function sealAll(plain: readonly string[]): Promise<string[]> {
    const sealed: string[] = [];
    for (const one of plain) {
      if (sealed.length % AT_ONCE === AT_ONCE - 1) await setImmediate();
      sealed.push(sealCursor(one));
    }
    return sealed;
  }

  function read(query: Partial<Record<string, unknown>>, field: string) {
    const sent = query[field];
    if (typeof sent !== 'string') return {};
    const cursor = cursors.unseal(sent);
    if (cursor === undefined)
      throw new InvalidRequestError('This cursor isn’t valid for this list. Start again from the first page.', { field });
    return { [field]: cursor.trimEnd() };
  }

  return {
    of: (kind, id) => numbers.seal(padded(`${kind} ${id}`)),
    idOf(kind, sent) {
      const [of, id] = (numbers.unseal(sent) ?? '').split(' ');
      return of === kind ? Number(id) : 0;
    },
    momentOf: (text) => seal(moments, padded(text)),
    readMoment: (sent) => unseal(moments, sent)?.trimEnd(),
    async withCursors(data) {
      const { next_cursor: next, cursors: all } = data as { next_cursor?: unknown; cursors?: unknown };
      if (typeof next === 'string') return { ...data, next_cursor: sealCursor(next) };
      return Array.isArray(all) ? { ...data, cursors: await sealAll(all) } : data;
    },
    readCursors: (query) => (query ? { ...query, ...read(query, 'cursor'), ...read(query, 'until') } : query),
  };
}
