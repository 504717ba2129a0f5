/** The transforms to the connection space, which decoders use. */
const TRANSFORMS = /^([rgb](XYZ|TRC)|kTRC|[AD]2B[0-3])$/;
/** The reverse transforms, the gamut, the white and black point, the adaptation, and the coding of video signals. */
const OTHERS = /^([BD]2[AB][0-3]|gamt|wtpt|bkpt|chad|cicp)$/;

/** Whether the colours of a picture depend on the tag. */
export function isTransform(name: string): boolean {
  return TRANSFORMS.test(name);
}

/** Whether a tag stays: anything else is removed. */
export function isColour(name: string): boolean {
  return isTransform(name) || OTHERS.test(name);
}

/**
 * The data of a tag that colours need, cut to the length that its type defines, with reserved bytes zeroed.
 * @returns undefined for a tag that no colour depends on, or that can't be read
 */
export function colourTag(name: string, data: Buffer): Buffer | undefined {
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
export function descriptionTag(space: string, isModern: boolean): Buffer {
  const name = /^[A-Za-z0-9]{3,4} ?$/.test(space) ? space.trim() : 'Color';
  return isModern ? multiLocalized(name) : description(name);
}

/** The required copyright, without any. */
export function copyrightTag(isModern: boolean): Buffer {
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
