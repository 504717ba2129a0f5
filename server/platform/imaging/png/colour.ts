import { deflateSync } from 'node:zlib';
import type { ImageBytes } from '#server/platform/imaging/bytes.ts';
import {
  type ColourDescription,
  type Colours,
  describeGamma,
  describePng,
  simplified,
} from '#server/platform/imaging/colour/description.ts';
import { coloursOf } from '#server/platform/imaging/colour/icc/colours.ts';
import type { Primaries } from '#server/platform/imaging/colour/primaries.ts';
import { chunkOf, pngChunks, SIGNATURE_LENGTH } from './chunks.ts';

const CODES_LENGTH = 4;
const PERCEPTUAL_TO_ABSOLUTE = 3;

/** The chunks about colours, and the lengths that they must have. */
const LENGTHS: Readonly<Record<string, number>> = { cICP: CODES_LENGTH, sRGB: 1, gAMA: 4, cHRM: 32, mDCV: 24, cLLI: 8 };
const REPLACED = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

/**
 * The colours of a PNG (third edition §4.3): `cICP` takes precedence over `iCCP`, that over `sRGB`, and that over `gAMA` and `cHRM`. Of each chunk, the first one counts.
 * @param icc its profile, if it has one that can be read
 */
export async function readPngColours(file: ImageBytes, icc: Buffer | undefined): Promise<Colours> {
  const chunks = new Map<string, Buffer>();
  for await (const { type, data } of headChunks(file))
    if (LENGTHS[type] === data.to - data.from && !chunks.has(type)) chunks.set(type, await file.copy(data));
  const colours = await readDescription(file, chunks, icc);
  return typeof colours === 'string' ? colours : { ...colours, ...peakOf(chunks) };
}

async function readDescription(file: ImageBytes, chunks: ReadonlyMap<string, Buffer>, icc: Buffer | undefined): Promise<Colours> {
  const codes = chunks.get('cICP');
  const coded =
    codes && describePng({ primaries: codes.readUInt8(0), transfer: codes.readUInt8(1), isFullRange: codes.readUInt8(3) === 1 });
  if (coded) return simplified(coded);
  if (icc) return coloursOf(icc, (await pngChannels(file)) === 1 ? 'GRAY' : 'RGB ');
  if ((chunks.get('sRGB')?.readUInt8() ?? Number.POSITIVE_INFINITY) <= PERCEPTUAL_TO_ABSOLUTE) return 'srgb';
  const [gamma, chromaticities] = [chunks.get('gAMA'), chunks.get('cHRM')];
  return simplified(gamma && describeGamma(gamma.readUInt32BE(), chromaticities && primariesOf(chromaticities)));
}

/** White comes first. */
function primariesOf(chunk: Buffer): Primaries {
  const [wx = 0, wy = 0, rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0] = Array.from(
    { length: 8 },
    (_, i) => chunk.readUInt32BE(4 * i) / 100_000,
  );
  return [rx, ry, gx, gy, bx, by, wx, wy];
}

/** Units of 0.0001 cd/m²: of the brightest pixel, or of the display. */
function peakOf(chunks: ReadonlyMap<string, Buffer>): Pick<ColourDescription, 'peak'> {
  const peak = (chunks.get('cLLI')?.readUInt32BE() || chunks.get('mDCV')?.readUInt32BE(16)) ?? 0;
  return peak > 0 ? { peak: peak / 10_000 } : {};
}

/** Channels without alpha, and without regard to a palette. */
export async function pngChannels(file: ImageBytes): Promise<1 | 3> {
  const type = (await file.at(SIGNATURE_LENGTH + 8 + 9, 1)).readUInt8();
  return type === 0 || type === 4 ? 1 : 3;
}

/** A copy of a PNG in which a profile takes the place of all chunks about colours. */
export async function withPngProfile(picture: Uint8Array, file: ImageBytes, profile: Buffer): Promise<Buffer> {
  const pieces: Uint8Array[] = [picture.subarray(0, SIGNATURE_LENGTH)];
  let end = SIGNATURE_LENGTH;
  for await (const { type, from, to } of headChunks(file)) {
    if (!REPLACED.has(type)) pieces.push(picture.subarray(from, to));
    if (type === 'IHDR')
      pieces.push(chunkOf('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile, { level: 1 })])));
    end = to;
  }
  return Buffer.concat([...pieces, picture.subarray(end)]);
}

/** The chunks in front of the pixels. */
async function* headChunks(file: ImageBytes) {
  for await (const chunk of pngChunks(file)) {
    if (chunk.type === 'IDAT') return;
    yield chunk;
  }
}
