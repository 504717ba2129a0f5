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

const PREFIX = 'Photoshop 3.0\0';
const RESOURCE = '8BIM';
const IPTC_RESOURCE = 0x0404;
const DATASET = 0x1c;
const APPLICATION_RECORD = 2;
const BY_LINE = 80;
const COPYRIGHT_NOTICE = 116;

/** By-line and copyright notice from the resources of Photoshop (IPTC IIM 4.2). Unreadable parts end it. */
export function iptcRights(segment: Buffer): Rights {
  if (segment.toString('latin1', 0, PREFIX.length) !== PREFIX) return {};
  for (let at = PREFIX.length; at + 12 <= segment.length && segment.toString('latin1', at, at + 4) === RESOURCE; ) {
    const nameLength = segment.readUInt8(at + 6) + 1;
    const sizeAt = at + 6 + nameLength + (nameLength % 2);
    if (sizeAt + 4 > segment.length) break;
    const length = segment.readUInt32BE(sizeAt);
    if (segment.readUInt16BE(at + 4) === IPTC_RESOURCE) return readDatasets(segment.subarray(sizeAt + 4, sizeAt + 4 + length));
    at = sizeAt + 4 + length + (length % 2);
  }
  return {};
}

function readDatasets(data: Buffer): Rights {
  const [artists, copyrights]: [string[], string[]] = [[], []];
  for (let at = 0; at + 5 <= data.length && data[at] === DATASET && artists.length + copyrights.length < MAX_SOURCES; ) {
    const length = data.readUInt16BE(at + 3);
    // The highest bit announces an extended length, which these texts never need.
    if (length > 0x7fff) break;
    const text = () => decodeText(data.subarray(at + 5, at + 5 + length));
    if (data[at + 1] === APPLICATION_RECORD && data[at + 2] === BY_LINE) artists.push(text());
    else if (data[at + 1] === APPLICATION_RECORD && data[at + 2] === COPYRIGHT_NOTICE) copyrights.push(text());
    at += 5 + length;
  }
  return rightsOf(artists, copyrights);
}
