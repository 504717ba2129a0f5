import type { ByteRange, ImageBytes } from '#server/platform/imaging/bytes.ts';
import { readAv1Codes, readHevcCodes } from '#server/platform/imaging/colour/coded.ts';
import { type ColourCodes, describeHeif, simplified } from '#server/platform/imaging/colour/description.ts';
import { type ForeignColours, foreignColours } from '#server/platform/imaging/colour/icc/colours.ts';
import type { Box } from './boxes.ts';
import { type HeifMeta, propertiesOf } from './meta.ts';

/** Enough for the header with which an AV1 picture begins. */
const AV1_HEADER_BYTES = 1024;
const NCLX_BYTES = 11;

/**
 * The colours of the primary picture, or of its first tile where only that has any: an ICC profile takes precedence over `nclx`, and that over what is coded
 * in the picture. The matrix and the range are the decoder's business, but for pictures without colours.
 */
export async function readHeifColours(file: ImageBytes, meta: HeifMeta): Promise<ForeignColours> {
  const boxes = boxesOfPicture(meta);
  const contents = async (type: string) =>
    Promise.all(boxes.filter((box) => box.type === type).map(({ body, to }) => file.copy({ from: body, to })));
  const colours = await contents('colr');
  const icc = colours.find((colour) => PROFILES.has(kindOf(colour)))?.subarray(4);
  const { description, ...rest } = icc ? foreignColours(icc) : await readDescription(file, meta, colours, contents);
  const peak = peakOf((await contents('clli'))[0], (await contents('mdcv'))[0]);
  return description ? { description: { ...description, ...(peak > 0 && { peak }) } } : rest;
}

/** Without a profile. */
async function readDescription(
  file: ImageBytes,
  meta: HeifMeta,
  colours: readonly Buffer[],
  contents: (type: string) => Promise<Buffer[]>,
): Promise<ForeignColours> {
  const [av1, hevc] = [(await contents('av1C'))[0], (await contents('hvcC'))[0]];
  const nclx = colours.find((colour) => kindOf(colour) === 'nclx' && colour.length >= NCLX_BYTES);
  const codes = nclx ? codesIn(nclx) : hevc ? readHevcCodes(hevc) : await readAv1(file, meta);
  const isMono = av1 ? ((av1[2] ?? 0) & 0x10) !== 0 : hevc !== undefined && ((hevc[16] ?? 0) & 3) === 0;
  const described = simplified(codes && { ...describeHeif(codes), ...(isMono && !codes.isFullRange && { isLimited: true }) });
  return described === 'srgb' ? {} : { description: described };
}

const PROFILES = new Set(['prof', 'rICC']);
const kindOf = (colour: Buffer) => colour.toString('latin1', 0, 4);

/** The properties of the primary picture, then those of the first picture that it is made of; each once, however often it is listed. */
function boxesOfPicture(meta: HeifMeta): Box[] {
  if (meta.primary === undefined) return [];
  return [...new Set([...propertiesOf(meta, meta.primary), ...propertiesOf(meta, firstPart(meta))])];
}

const firstPart = ({ primary = 0, references }: HeifMeta): number =>
  references.find(({ type, from }) => type === 'dimg' && from === primary)?.to[0] ?? primary;

/** After the kind: primaries, transfer and matrix of two bytes each, and the range in the highest bit. */
const codesIn = (nclx: Buffer): ColourCodes => ({
  primaries: nclx.readUInt16BE(4),
  transfer: nclx.readUInt16BE(6),
  isFullRange: nclx.readUInt8(10) >= 0x80,
});

/** In cd/m²: of the brightest pixel, or of the display, which is in units of 0.0001. 0 if neither is known. */
function peakOf(light: Buffer | undefined, display: Buffer | undefined): number {
  return (light && light.length >= 2 && light.readUInt16BE()) || (display && display.length >= 20 ? display.readUInt32BE(16) / 10_000 : 0);
}

async function readAv1(file: ImageBytes, meta: HeifMeta): Promise<ColourCodes | undefined> {
  const [extent] = meta.extents.get(firstPart(meta)) ?? [];
  if (!extent) return undefined;
  const start: ByteRange = { from: extent.from, to: Math.min(extent.to, extent.from + AV1_HEADER_BYTES) };
  return readAv1Codes(await file.copy(start));
}

/** A copy of an AVIF whose primary picture has this profile. The table of contents moves to the end, so that nothing else does. */
export function withHeifProfile(picture: Uint8Array, meta: HeifMeta, profile: Buffer): Buffer {
  const [old, last] = [meta.top.find(({ type }) => type === 'meta'), meta.top.at(-1)];
  if (!old || !last || meta.primary === undefined) throw new TypeError('The picture has no table of contents.');
  const source = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  const isProfile = (box: Box | undefined) => box?.type === 'colr' && PROFILES.has(source.toString('latin1', box.body, box.body + 4));
  const colour = boxOf('colr', Buffer.from('prof', 'latin1'), profile);
  const properties = boxOf('ipco', ...meta.properties.map((box) => source.subarray(box.from, box.to)), colour);
  const iprp = boxOf('iprp', properties, boxOf('ipma', ...associations(meta, meta.primary, isProfile)));
  const children = meta.children.map((box) => (box.type === 'iprp' ? iprp : source.subarray(box.from, box.to)));
  const copy = Buffer.concat([source, boxOf('meta', source.subarray(old.body, old.body + 4), ...children)]);
  copy.write('free', old.from + 4, 'latin1');
  // A last box may extend to the end of the file.
  if (copy.readUInt32BE(last.from) === 0) copy.writeUInt32BE(last.to - last.from, last.from);
  return copy;
}

/** For each item, the numbers of its properties, in 15 bits each. The new one is the last, and takes the place of the picture's other profiles. */
function associations(meta: HeifMeta, primary: number, isProfile: (box: Box | undefined) => boolean): Buffer[] {
  const others = (meta.associations.get(primary) ?? []).filter((number) => !isProfile(meta.properties[number - 1]));
  const added = new Map(meta.associations).set(primary, [...others, meta.properties.length + 1]);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0x01000001);
  head.writeUInt32BE(added.size, 4);
  const entries = [...added].map(([id, numbers]) => {
    const entry = Buffer.alloc(5 + 2 * numbers.length);
    entry.writeUInt32BE(id);
    entry.writeUInt8(numbers.length, 4);
    for (const [index, number] of numbers.entries()) entry.writeUInt16BE(number, 5 + 2 * index);
    return entry;
  });
  return [head, ...entries];
}

function boxOf(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(contents.reduce((sum, { length }) => sum + length, head.length));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...contents]);
}
