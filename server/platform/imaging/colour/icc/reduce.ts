/** Larger than any profile in use; anything beyond that is removed. */
export const MAX_ICC_BYTES = 4 * 1024 * 1024;

const HEADER_LENGTH = 128;
const ENTRY_LENGTH = 12;
/** Little CMS rejects profiles with more. */
const MAX_TAGS = 100;
/** Profiles of devices and colour spaces; the other classes don't describe the colours of a picture. */
const CLASSES = new Set(['scnr', 'mntr', 'prtr', 'spac']);
const MATRIX = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];

interface Tag {
  readonly name: string;
  readonly data: Buffer;
}

/** Compact profiles have texts that share their bytes with other tags; neutral ones take a little more. */
const MAX_GROWTH = 128;

/**
 * Reduces an ICC profile (ICC.1:2022) to what determines colours: the transforms, the white point, and the fields of the
 * header that engines read. Texts, names of devices, serial numbers, measurements, dates and tags of vendors are removed;
 * the required description and copyright become neutral. Returns a reduced profile unchanged.
 *
 * @param room the bytes that the result may take; without enough, description and copyright are left out
 * @returns undefined for a profile that is damaged or too large, which must be removed
 */
export function reduceProfile(profile: Buffer, room = profile.length + MAX_GROWTH): Buffer | undefined {
  if (profile.length > MAX_ICC_BYTES) return undefined;
  const tags = readTags(profile);
  if (!tags) return undefined;
  const whole = build(profile, tags);
  if (whole.length <= room) return whole;
  const bare = build(
    profile,
    tags.filter(({ name }) => !isText(name)),
  );
  return bare.length <= room ? bare : undefined;
}

/** A reduced profile that fills a place whose size can't change: zeros follow, and count as part of it. */
export function padProfile(profile: Buffer, length: number): Buffer {
  const padded = Buffer.alloc(length);
  profile.copy(padded);
  padded.writeUInt32BE(length);
  return padded;
}

/** The tags that colours depend on, and neutral texts; undefined for a damaged profile, or one that doesn't describe the colours of a picture. */
export function readTags(profile: Buffer): Tag[] | undefined {
  if (profile.length < HEADER_LENGTH + 4 || profile.toString('latin1', 36, 40) !== 'acsp') return undefined;
  const count = profile.readUInt32BE(HEADER_LENGTH);
  const size = Math.min(profile.readUInt32BE(), profile.length);
  if (profile.readUInt8(8) > 5 || !CLASSES.has(profile.toString('latin1', 12, 16))) return undefined;
  if (count > MAX_TAGS || size < HEADER_LENGTH + 4 + count * ENTRY_LENGTH) return undefined;
  const tags: Tag[] = [];
  const names = new Set<string>();
  /** The data of colour tags by their place. */
  const places = new Map<string, Buffer>();
  let covered = 0;
  for (let i = 0; i < count; i++) {
    const entry = HEADER_LENGTH + 4 + i * ENTRY_LENGTH;
    const name = profile.toString('latin1', entry, entry + 4);
    const from = profile.readUInt32BE(entry + 4);
    const to = from + profile.readUInt32BE(entry + 8);
    // Little CMS treats a tag that is empty or ends outside the profile as absent.
    if (from === 0 || to === from || to > size) continue;
    if (names.has(name)) return undefined;
    names.add(name);
    const place = `${from} ${to}`;
    const shared = isColour(name) ? places.get(place) : undefined;
    const data = isText(name) ? neutralText(name, profile) : (shared ?? colourTag(name, profile.subarray(from, to)));
    // Little CMS ignores a profile with a transform that is present but unreadable.
    if (!data && isTransform(name)) return undefined;
    if (!data) continue;
    tags.push({ name, data });
    if (isText(name) || shared) continue;
    places.set(place, data);
    covered += data.length;
    // Tags may share data, but not overlap otherwise: a small file could claim any amount of memory.
    if (covered > size) return undefined;
  }
  return describesColours(tags) ? tags : undefined;
}

function isText(name: string): boolean {
  return name === 'desc' || name === 'cprt';
}

function neutralText(name: string, profile: Buffer): Buffer {
  const isModern = profile.readUInt8(8) >= 4;
  return name === 'desc' ? descriptionTag(profile.toString('latin1', 16, 20), isModern) : copyrightTag(isModern);
}

function describesColours(tags: readonly Tag[]): boolean {
  const names = new Set(tags.map(({ name }) => name));
  return names.has('kTRC') || MATRIX.every((name) => names.has(name)) || [...names].some((name) => /^[AD]2B[0-3]$/.test(name));
}

function build(profile: Buffer, tags: readonly Tag[]): Buffer {
  const table = Buffer.alloc(4 + tags.length * ENTRY_LENGTH);
  table.writeUInt32BE(tags.length);
  const parts: Buffer[] = [];
  const placed: { readonly data: Buffer; readonly at: number }[] = [];
  let end = HEADER_LENGTH + table.length;
  for (const [i, { name, data }] of tags.entries()) {
    const same = placed.find((other) => other.data.equals(data));
    const at = same?.at ?? end;
    if (!same) {
      const padding = Buffer.alloc((4 - (data.length % 4)) % 4);
      parts.push(data, padding);
      placed.push({ data, at });
      end += data.length + padding.length;
    }
    const entry = 4 + i * ENTRY_LENGTH;
    table.write(name, entry, 'latin1');
    table.writeUInt32BE(at, entry + 4);
    table.writeUInt32BE(data.length, entry + 8);
  }
  return Buffer.concat([reducedHeader(profile, end), table, ...parts]);
}

/** Leaves out the preferred engine, the platform, the device's maker and model, the creator, the profile's id and its date. */
function reducedHeader(profile: Buffer, size: number): Buffer {
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeUInt32BE(size);
  const keep = (from: number, to: number) => profile.copy(header, from, from, to);
  keep(8, 10); // version
  keep(12, 24); // class, colour space, connection space
  header.writeUInt16BE(2000, 24); // a valid date for all: 1 January 2000
  header.writeUInt16BE(1, 26);
  header.writeUInt16BE(1, 28);
  header.write('acsp', 36, 'latin1');
  header.writeUInt8(profile.readUInt8(47) & 3, 47); // embedded; not usable alone
  header.writeUInt8(profile.readUInt8(63) & 15, 63); // reflective, glossy, positive, colour
  keep(64, 80); // rendering intent, illuminant
  return header;
}

/** The transforms to the connection space, which decoders use. */
const TRANSFORMS = /^([rgb](XYZ|TRC)|kTRC|[AD]2B[0-3])$/;
/** The reverse transforms, the gamut, the white and black point, the adaptation, and the coding of video signals. */
const OTHERS = /^([BD]2[AB][0-3]|gamt|wtpt|bkpt|chad|cicp)$/;

/** Whether the colours of a picture depend on the tag. */
function isTransform(name: string): boolean {
  return TRANSFORMS.test(name);
}

/** Whether a tag stays: anything else is removed. */
function isColour(name: string): boolean {
  return isTransform(name) || OTHERS.test(name);
}

/**
 * The data of a tag that colours need, cut to the length that its type defines, with reserved bytes zeroed.
 * @returns undefined for a tag that no colour depends on, or that can't be read
 */
function colourTag(name: string, data: Buffer): Buffer | undefined {
  if (!isColour(name)) return undefined;
  if (data.length < 12) return undefined;
  const type = data.toString('latin1', 0, 4);
  const length = LENGTHS[type]?.(data);
  if (length === undefined || length > data.length) return undefined;
  const copy = Buffer.from(data.subarray(0, length));
  copy.fill(0, 4, 8);
  if (type === 'para') copy.fill(0, 10, 12);
  return copy;
}

const PARAMETERS = [1, 3, 4, 5, 7];

/** The length of a tag by its type; undefined where a field makes no sense. Types of texts are missing on purpose. */
const LENGTHS: Record<string, (data: Buffer) => number | undefined> = {
  'XYZ ': () => 20,
  cicp: () => 12,
  curv: (data) => 12 + 2 * data.readUInt32BE(8),
  para: (data) => {
    const count = PARAMETERS[data.readUInt16BE(8)];
    return count === undefined ? undefined : 12 + 4 * count;
  },
  sf32: () => 8 + 9 * 4,
  mft1: (data) => tableLength(data, 48, 1, () => [256, 256]),
  mft2: (data) => tableLength(data, 52, 2, () => [data.readUInt16BE(48), data.readUInt16BE(50)]),
  // These hold their parts at offsets of their own.
  'mAB ': (data) => data.length,
  'mBA ': (data) => data.length,
  mpet: (data) => data.length,
};

/** Curves for each input channel, a grid of colours, and curves for each output channel, after a fixed part. */
function tableLength(data: Buffer, fixed: number, width: number, curves: () => readonly [number, number]): number | undefined {
  if (data.length < fixed) return undefined;
  const [inputs, outputs, points] = [data.readUInt8(8), data.readUInt8(9), data.readUInt8(10)];
  if (inputs === 0 || outputs === 0 || inputs > 15 || outputs > 15) return undefined;
  const [before, after] = curves();
  return fixed + width * (inputs * before + points ** inputs * outputs + outputs * after);
}

const NO_COPYRIGHT = 'n/a';

/** The required description: the name of the colour space. */
function descriptionTag(space: string, isModern: boolean): Buffer {
  const name = /^[A-Za-z0-9]{3,4} ?$/.test(space) ? space.trim() : 'Color';
  return isModern ? multiLocalized(name) : description(name);
}

/** The required copyright, without any. */
function copyrightTag(isModern: boolean): Buffer {
  return isModern ? multiLocalized(NO_COPYRIGHT) : Buffer.from(`text\0\0\0\0${NO_COPYRIGHT}\0`, 'latin1');
}

/** Texts since version 4: UTF-16 for any number of languages, here only for English. */
function multiLocalized(text: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('mluc', 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(text.length * 2, 20);
  head.writeUInt32BE(28, 24);
  return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()]);
}

/** Descriptions up to version 2: ASCII, followed by an empty Unicode and an empty Macintosh text. */
function description(text: string): Buffer {
  const tag = Buffer.alloc(12 + text.length + 1 + 8 + 70);
  tag.write('desc', 'latin1');
  tag.writeUInt32BE(text.length + 1, 8);
  tag.write(text, 12, 'latin1');
  return tag;
}
