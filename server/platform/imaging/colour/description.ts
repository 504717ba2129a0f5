import { BT709, isPrimaries, PRIMARIES, type Primaries } from './primaries.ts';

/** How light depends on a number: one of the curves in `curves.ts`, or a power of the number. */
export type Transfer = 'srgb' | 'smpte240' | 'smpte428' | 'pq' | 'hlg' | { readonly gamma: number };

/** What the numbers of a picture mean where no ICC profile says so. */
export interface ColourDescription {
  readonly primaries: Primaries;
  readonly transfer: Transfer;
  /** Of an HDR picture: the light of its brightest pixel in cd/m², or of the display it was made on. */
  readonly peak?: number;
  /** Black and white are 16 and 235 of 255, and the decoder leaves them so. */
  readonly isLimited?: boolean;
}

/** What is in a picture's metadata about its colours. */
export type Colours =
  /** Its numbers are sRGB, or nothing that can be used says otherwise. */
  | 'srgb'
  /** Its ICC profile says. */
  | 'profile'
  /** Ink without a profile. */
  | 'ink'
  | ColourDescription;

/** Code points of ITU-T H.273, as in PNG's `cICP` and HEIF's `nclx`. */
export interface ColourCodes {
  readonly primaries: number;
  readonly transfer: number;
  readonly isFullRange: boolean;
}

/** Curves that every container means in the same way. Those of television (1, 6, 11, 14, 15) differ. */
const TRANSFERS: Readonly<Record<number, Transfer>> = {
  4: { gamma: 2.2 },
  5: { gamma: 2.8 },
  7: 'smpte240',
  8: { gamma: 1 },
  13: 'srgb',
  16: 'pq',
  17: 'smpte428',
  18: 'hlg',
};
const TELEVISION: ReadonlySet<number> = new Set([1, 6, 11, 14, 15]);

/** In a PNG, television's curves are those of its displays, BT.1886 without black. */
const TELEVISION_IN_PNG: Transfer = { gamma: 2.4 };

/**
 * The description by a `cICP` chunk. Browsers ignore one with a code that they don't know, or numbers that aren't of the full range.
 * @returns undefined for a chunk that must be ignored
 */
export function describePng(codes: ColourCodes): ColourDescription | undefined {
  const transfer = TELEVISION.has(codes.transfer) ? TELEVISION_IN_PNG : TRANSFERS[codes.transfer];
  const primaries = PRIMARIES[codes.primaries];
  return codes.isFullRange && transfer && primaries ? { primaries, transfer } : undefined;
}

/** The description by an `nclx` box or a coded picture. What isn't known is as in sRGB, and so are television's curves. The decoder expands a limited range. */
export function describeHeif(codes: ColourCodes): ColourDescription {
  return { primaries: PRIMARIES[codes.primaries] ?? BT709, transfer: TRANSFERS[codes.transfer] ?? 'srgb' };
}

/**
 * The description by the `cicp` tag of an ICC profile (ICC.1:2022 §9.2.17), which takes precedence over its transforms.
 * @returns undefined for a tag that must be ignored
 */
export function describeTag(codes: ColourCodes): ColourDescription | undefined {
  const isKnown = TELEVISION.has(codes.transfer) || codes.transfer in TRANSFERS;
  return codes.isFullRange && isKnown && codes.primaries in PRIMARIES ? describeHeif(codes) : undefined;
}

/** libpng and browsers take a gamma of 1/2.2, give or take a twentieth, for sRGB. */
const SRGB_GAMMA = 45_455;
const SRGB_TOLERANCE = 0.05;

/**
 * The description by `gAMA` and `cHRM` chunks.
 * @param gamma the exponent from light to numbers, times 100,000
 * @param primaries those of the `cHRM` chunk, if there is one
 * @returns undefined for chunks that must be ignored
 */
export function describeGamma(gamma: number, primaries: Primaries | undefined): ColourDescription | undefined {
  if (gamma === 0 || (primaries && !isPrimaries(primaries))) return undefined;
  if (!primaries && Math.abs(gamma / SRGB_GAMMA - 1) < SRGB_TOLERANCE) return undefined;
  return { primaries: primaries ?? BT709, transfer: { gamma: 100_000 / gamma } };
}

export const isHdr = ({ transfer }: ColourDescription): boolean => transfer === 'pq' || transfer === 'hlg';

/** The same description, or `srgb` if it says nothing else. */
export function simplified(description: ColourDescription | undefined): Exclude<Colours, 'profile' | 'ink'> {
  const isSrgb = !description || (description.primaries === BT709 && description.transfer === 'srgb' && !description.isLimited);
  return isSrgb ? 'srgb' : description;
}
