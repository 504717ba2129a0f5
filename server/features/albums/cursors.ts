import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { decodeCursor, type Position } from '#server/platform/db/page.ts';

/** A place in a list that is ordered by a number and then by a text which callers know anyway: cursors give away no row numbers. */
export interface Place {
  value: number;
  text: string;
}

export function toPosition({ value, text }: Place): Position {
  return { value: `${value} ${text}`, id: 0 };
}

/** @throws InvalidRequestError when the cursor is not one of such a list */
export function readPlace(cursor: string | undefined): Place | undefined {
  const position = decodeCursor(cursor);
  if (!position) return undefined;
  const [, value, text] = /^(-?\d{1,15}) ([0-9A-Za-z]{1,20})$/.exec(String(position.value)) ?? [];
  if (value === undefined || text === undefined)
    throw new InvalidRequestError('This cursor is not valid. Start again from the first page.', { field: 'cursor' });
  return { value: Number(value), text };
}
