import { InvalidRequestError } from '#server/platform/base/errors.ts';

/** A place in an ordered list: the sorting value of the last item shown, and its id where values repeat. */
export interface Position {
  value: number | string;
  id: number;
}

/** An opaque cursor for the API. */
export function encodeCursor({ value, id }: Position): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url');
}

/**
 * Reads a cursor back.
 * @throws InvalidRequestError when it is not one of ours
 */
export function decodeCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [value, id, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const known = (typeof value === 'string' || Number.isFinite(value)) && Number.isSafeInteger(id) && rest.length === 0;
    if (known && encodeCursor({ value, id }) === cursor) return { value, id };
  } catch {
    // Not ours: answered below like any other malformed cursor.
  }
  throw new InvalidRequestError('This cursor is not valid. Start again from the first page.', { field: 'cursor' });
}

/** One page from `limit + 1` rows: the extra row only tells that there is more. */
export function toPage<Row, Item>(rows: Row[], limit: number, position: (row: Row) => Position, present: (row: Row) => Item) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(present), next_cursor: rows.length > limit && last ? encodeCursor(position(last)) : null };
}
