import { srgbLight } from '../curves.ts';
import { type ColourDescription, type Colours, describeTag, simplified } from '../description.ts';
import { readTags } from './reduce.ts';

/** The colour spaces of ICC profiles that pictures have. */
export type ProfileSpace = 'RGB ' | 'GRAY' | 'CMYK';

/** The colours of a picture by its ICC profile. @param space that of its numbers; a profile for others says nothing */
export function coloursOf(profile: Buffer, space: ProfileSpace): Colours {
  if (profile.toString('latin1', 16, 20) !== space) return 'srgb';
  const tags = readTags(profile);
  if (!tags || isSrgb(profile)) return 'srgb';
  const codes = tags.find(({ name }) => name === 'cicp')?.data;
  // Its matrix has no meaning for colours in RGB.
  const description =
    codes && describeTag({ primaries: codes.readUInt8(8), transfer: codes.readUInt8(9), isFullRange: codes.readUInt8(11) === 1 });
  return description ? simplified(description) : 'profile';
}

/** The colours of a picture that is decoded without them. Neither: they are sRGB. */
export interface ForeignColours {
  readonly icc?: Buffer;
  readonly description?: ColourDescription;
}

/** The same for a picture with this profile. */
export function foreignColours(profile: Buffer): ForeignColours {
  const colours = coloursOf(profile, 'RGB ');
  if (colours === 'profile') return { icc: profile };
  return typeof colours === 'string' ? {} : { description: colours };
}

/** The primaries of sRGB (IEC 61966-2-1) in the connection space, adapted to D50. */
const PRIMARIES = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;
/** Profiles of several makers differ by less than 0.0005, those of other colour spaces by far more. */
const MAX_PRIMARY_DIFFERENCE = 0.001;

const CURVES = ['rTRC', 'gTRC', 'bTRC'];
/** Less than half a step of 256 in the light part of the curve. */
const MAX_CURVE_DIFFERENCE = 0.0015;
const SAMPLES = 64;

/** Tables of colours, which take precedence over primaries and curves. */
const TABLE = /^[AD]2B/;

/** Whether an ICC profile (ICC.1:2022) describes sRGB, so that converting from it changes nothing. False for anything unusual. */
export function isSrgb(profile: Buffer): boolean {
  if (profile.toString('latin1', 16, 24) !== 'RGB XYZ ') return false;
  const tags = new Map(readTags(profile)?.map(({ name, data }) => [name, data]));
  if ([...tags.keys()].some((name) => TABLE.test(name))) return false;
  return (
    Object.entries(PRIMARIES).every(([name, expected]) => isPrimary(tags.get(name), expected)) &&
    CURVES.every((name) => isSrgbCurve(tags.get(name)))
  );
}

/** A number with 16 bits after the point. */
const fixedAt = (data: Buffer, at: number) => data.readInt32BE(at) / 65_536;

function isPrimary(data: Buffer | undefined, expected: readonly number[]): boolean {
  if (!data || data.length < 20) return false;
  return expected.every((value, i) => Math.abs(fixedAt(data, 8 + 4 * i) - value) < MAX_PRIMARY_DIFFERENCE);
}

function isSrgbCurve(data: Buffer | undefined): boolean {
  const curve = data && curveOf(data);
  if (!curve) return false;
  for (let i = 0; i <= SAMPLES; i++) if (Math.abs(curve(i / SAMPLES) - srgbLight(i / SAMPLES)) > MAX_CURVE_DIFFERENCE) return false;
  return true;
}

/** A curve of the two types that profiles of sRGB have: a table, or a formula with five parameters. */
function curveOf(data: Buffer): ((value: number) => number) | undefined {
  const type = data.toString('latin1', 0, 4);
  if (type === 'curv' && data.length >= 12) return tableCurve(data, data.readUInt32BE(8));
  if (type === 'para' && data.length >= 32 && data.readUInt16BE(8) === 3) return formulaCurve(data);
  return undefined;
}

function tableCurve(data: Buffer, count: number): ((value: number) => number) | undefined {
  if (count < 2 || data.length < 12 + 2 * count) return undefined;
  const entry = (index: number) => data.readUInt16BE(12 + 2 * index) / 65_535;
  return (value) => {
    const place = value * (count - 1);
    const index = Math.min(Math.floor(place), count - 2);
    return entry(index) + (place - index) * (entry(index + 1) - entry(index));
  };
}

function formulaCurve(data: Buffer): (value: number) => number {
  const [g = 0, a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3, 4].map((i) => fixedAt(data, 12 + 4 * i));
  return (value) => (value >= d ? (a * value + b) ** g : c * value);
}
