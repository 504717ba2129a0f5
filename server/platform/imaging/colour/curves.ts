import type { ColourDescription, Transfer } from './description.ts';
import { applied, BT709, BT2020, between, type Vector } from './primaries.ts';

/** The light of a diffuse white in an HDR picture, in cd/m² (ITU-R BT.2408 §2.1). */
const REFERENCE_WHITE = 203;
/** The peak of an HDR picture that doesn't say its own: the nominal peak of HLG (ITU-R BT.2100 table 5). */
const USUAL_PEAK = 1000;

/** Light, 1 at most, by the numbers of SDR pictures, from 0 to 1. */
export function lightOf(transfer: Exclude<Transfer, 'pq' | 'hlg'>): (number: number) => number {
  if (transfer === 'srgb') return srgbLight;
  if (transfer === 'smpte240') return (v) => (v < 0.0913 ? v / 4 : ((v + 0.1115) / 1.1115) ** (1 / 0.45));
  // SMPTE ST 428-1 has headroom above white.
  if (transfer === 'smpte428') return (v) => (52.37 / 48) * v ** 2.6;
  const { gamma } = transfer;
  return (v) => v ** gamma;
}

/** IEC 61966-2-1. */
export const srgbLight = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const srgbNumber = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);

/** The number in a picture of full range for one whose black is 16 and whose white is 235 of 255. */
export const expanded = (v: number): number => clamped((v - 16 / 255) * (255 / 219));

const clamped = (v: number): number => Math.min(1, Math.max(0, v));

/**
 * How the numbers of an HDR picture become sRGB, both from 0 to 1: light by PQ, or by HLG with the display of 1,000 cd/m² that it is made for (ITU-R BT.2100); the
 * tone curve below; then, what sRGB can't show is cut off.
 */
export function toneMapped({ primaries, transfer, peak = USUAL_PEAK }: ColourDescription): (numbers: Vector) => Vector {
  const light = transfer === 'pq' ? pqLight : hlgLight;
  const [wide, narrow] = [between(primaries, BT2020), between(BT2020, BT709)];
  const gainOf = toneCurve(peak / REFERENCE_WHITE);
  return (numbers) => {
    const [r, g, b] = applied(wide, light(numbers));
    const gain = gainOf(Math.max(r, g, b));
    const [red, green, blue] = applied(narrow, [r * gain, g * gain, b * gain]);
    return [srgbNumber(clamped(red)), srgbNumber(clamped(green)), srgbNumber(clamped(blue))];
  };
}

/** How the middle point of the curve lies between those at its ends. */
const BEND = 0.65;

/**
 * The reference white tone mapping operator of SMPTE ST 2094-50 (annex D), which Chromium uses: what is at most as bright as a diffuse white gets at most half of the light, the rest a
 * quadratic Bézier curve up to the peak. The same gain applies to all three colours.
 * @param peak as a multiple of a diffuse white; a picture without anything brighter isn't changed
 * @returns the gain by the largest of the three colours
 */
function toneCurve(peak: number): (largest: number) => number {
  if (peak <= 1) return () => 1;
  const white = 1 - 0.5 * Math.min(Math.log(peak) / Math.log(USUAL_PEAK / REFERENCE_WHITE), 1);
  const middle = { x: 1 - BEND + BEND / white, y: (1 - BEND) * white + BEND };
  const [ax, bx] = [1 - 2 * middle.x + peak, 2 * middle.x - 2];
  const [ay, by] = [white - 2 * middle.y + 1, 2 * middle.y - 2 * white];
  return (largest) => {
    if (largest <= 1) return white;
    if (largest >= peak) return 1 / largest;
    // The parameter at which the curve is over this light.
    const t = (2 * (largest - 1)) / (bx + Math.sqrt(bx * bx + 4 * ax * (largest - 1)));
    return (white + t * (by + t * ay)) / largest;
  };
}

/** SMPTE ST 2084, as a multiple of a diffuse white. */
function pqLight([r, g, b]: Vector): Vector {
  const light = (v: number) => {
    const power = v ** (32 / 2523);
    return (10_000 / REFERENCE_WHITE) * (Math.max(power - 107 / 128, 0) / (2413 / 128 - (2392 / 128) * power)) ** (8192 / 1305);
  };
  return [light(r), light(g), light(b)];
}

/** The display's gamma makes bright light brighter (ITU-R BT.2100 table 5). */
const HLG_GAMMA = 1.2;

/** ARIB STD-B67, as a multiple of a diffuse white. */
function hlgLight([r, g, b]: Vector): Vector {
  const scene = (v: number) => (v <= 0.5 ? (v * v) / 3 : (Math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12);
  const [red, green, blue] = [scene(r), scene(g), scene(b)];
  const gain = (USUAL_PEAK / REFERENCE_WHITE) * (0.2627 * red + 0.678 * green + 0.0593 * blue) ** (HLG_GAMMA - 1);
  return [red * gain, green * gain, blue * gain];
}
