/** The fields of a picture's metadata that name its author and the owner of its copyright. */
export interface Rights {
  readonly artist?: string;
  readonly copyright?: string;
}

/** Longer than any sensible name or notice; the rest is cut off. */
const MAX_CHARACTERS = 500;
/** What is read of one field. */
export const MAX_FIELD_BYTES = 4000;
/** Of one kind in one picture: more than any program writes. */
export const MAX_SOURCES = 20;

/** A text in UTF-8; in Latin-1 where it can't be that, as old programs wrote it. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return Buffer.from(bytes).toString('latin1');
  }
}

/** The rights from several values each. Empty ones are absent. */
export function rightsOf(artists: readonly string[], copyrights: readonly string[]): Rights {
  const [artist, copyright] = [joined(artists), joined(copyrights)];
  return { ...(artist && { artist }), ...(copyright && { copyright }) };
}

/** Each field from the first source that has it. */
export function combined(sources: readonly Rights[]): Rights {
  const first = (field: keyof Rights) => sources.map((source) => source[field] ?? '').find((text) => text !== '') ?? '';
  return rightsOf([first('artist')], [first('copyright')]);
}

function joined(values: readonly string[]): string {
  const texts = values
    .map((value) =>
      value
        .slice(0, MAX_FIELD_BYTES)
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim(),
    )
    .filter((value) => value !== '');
  return Array.from([...new Set(texts)].join(', ').toWellFormed())
    .slice(0, MAX_CHARACTERS)
    .join('');
}
