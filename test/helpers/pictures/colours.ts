import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { bundledProfile, profileOf, tagsOf, withJpegProfile } from './icc.ts';
import { pngChunk, webpChunk } from './private-metadata.ts';

/** A picture of {@link CHART}, or of a ramp of greys, whose numbers mean something else than sRGB. */
export interface ColourSample {
  /** Such as “PNG, cICP 9/16, 8 bits”. */
  readonly name: string;
  readonly type: 'image/png' | 'image/avif' | 'image/jpeg' | 'image/webp' | 'image/bmp';
  readonly file: Buffer;
}

export const CHART = { width: 16, height: 8 };
const PIXELS = CHART.width * CHART.height;

/** Five steps of each colour, in every combination, and three greys; from 0 to 1. The AVIFs and the HEIC in `test/fixtures/colours` have the same, or a ramp. */
const COLOURS = Array.from({ length: PIXELS }, (_, i) =>
  i < 125 ? [Math.floor(i / 25) / 4, (Math.floor(i / 5) % 5) / 4, (i % 5) / 4] : new Array<number>(3).fill(((i - 124) / 4) * 0.3),
).flat();
const GREYS = Array.from({ length: PIXELS }, (_, i) => i / (PIXELS - 1));

type Depth = 8 | 16;

/** @param chunks those between the header and the pixels */
export function chartPng(depth: Depth, chunks: readonly Buffer[] = [], numbers: readonly number[] = COLOURS): Buffer {
  const channels = numbers.length / PIXELS;
  const header = Buffer.from([0, 0, 0, CHART.width, 0, 0, 0, CHART.height, depth, channels === 1 ? 0 : 2, 0, 0, 0]);
  const perRow = CHART.width * channels;
  const rows = Array.from({ length: CHART.height }, (_, row) => {
    const line = Buffer.alloc(1 + (perRow * depth) / 8);
    for (const [i, number] of numbers.slice(row * perRow, (row + 1) * perRow).entries())
      if (depth === 16) line.writeUInt16BE(Math.round(number * 65_535), 1 + 2 * i);
      else line.writeUInt8(Math.round(number * 255), 1 + i);
    return line;
  });
  const pixels = pngChunk('IDAT', deflateSync(Buffer.concat(rows)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, pngChunk('IHDR', header), ...chunks, pixels, pngChunk('IEND', Buffer.alloc(0))]);
}

export const cicp = (primaries: number, transfer: number, matrix = 0, range = 1) =>
  pngChunk('cICP', Buffer.from([primaries, transfer, matrix, range]));
export const gamma = (value: number) => pngChunk('gAMA', uint32s(value));
/** White, red, green and blue, x and y each. */
export const chromaticities = (...values: readonly number[]) =>
  pngChunk('cHRM', uint32s(...values.map((value) => Math.round(value * 100_000))));
export const iccp = (profile: Buffer) => pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(profile)]));
/** Of the brightest pixel, and of the brightest frame. */
export const lightLevel = (nits: number) => pngChunk('cLLI', uint32s(nits * 10_000, 0));
export const displayVolume = (nits: number) => pngChunk('mDCV', Buffer.concat([Buffer.alloc(16), uint32s(nits * 10_000, 1)]));
const P3_CHROMATICITIES = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06];

function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}

/** A profile that says by a `cicp` tag, too, what its colours are. */
export function withCodes(profile: Buffer, primaries: number, transfer: number, range = 1): Buffer {
  const data = Buffer.from([...Buffer.from('cicp\0\0\0\0'), primaries, transfer, 0, range]);
  return profileOf(profile, [...tagsOf(profile), { name: 'cicp', data }]);
}

/** An AVIF or HEIC with other codes. */
export function withNclx(avif: Buffer, primaries: number, transfer: number, range?: 0 | 1): Buffer {
  const changed = Buffer.from(avif);
  const at = changed.indexOf('colrnclx') + 8;
  if (at < 8) throw new Error('The picture has no codes.');
  changed.writeUInt16BE(primaries, at);
  changed.writeUInt16BE(transfer, at + 2);
  if (range !== undefined) changed.writeUInt8(range << 7, at + 6);
  return changed;
}

/** An AVIF in which no box says anything about colours. */
export function withoutNclx(avif: Buffer): Buffer {
  const changed = Buffer.from(avif);
  changed.write('free', changed.indexOf('colrnclx'), 'latin1');
  return changed;
}

export const colourFixture = (name: string): Buffer => readFileSync(`test/fixtures/colours/${name}`);

/** A BMP of version 5 with a profile. */
function chartBmp(profile: Buffer): Buffer {
  const head = Buffer.alloc(138);
  head.write('BM');
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(124, 14);
  head.writeInt32LE(CHART.width, 18);
  head.writeInt32LE(-CHART.height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.write('DEBM', 70, 'latin1');
  const pixels = Buffer.from(COLOURS.map((_, i) => Math.round((COLOURS[i + 2 - 2 * (i % 3)] as number) * 255)));
  head.writeUInt32LE(124 + pixels.length, 126);
  head.writeUInt32LE(profile.length, 130);
  head.writeUInt32LE(head.length + pixels.length + profile.length, 2);
  return Buffer.concat([head, pixels, profile]);
}

/** The chart in the colours of this library. */
const chart = () => sharp(chartPng(8));

/** In JPEGs, every colour is a block, so that hardly any number changes. */
async function chartJpeg(space: 'srgb' | 'cmyk' = 'srgb'): Promise<Buffer> {
  const large = chart().resize(CHART.width * 16, CHART.height * 16, { kernel: 'nearest' });
  return large.toColourspace(space).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
}

async function chartWebp(profile: Buffer): Promise<Buffer> {
  const plain = await chart().webp({ lossless: true }).toBuffer();
  const header = Buffer.from([0x20, 0, 0, 0, CHART.width - 1, 0, 0, CHART.height - 1, 0, 0]);
  const file = Buffer.concat([plain.subarray(0, 12), webpChunk('VP8X', header), webpChunk('ICCP', profile), plain.subarray(12)]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

const TRANSFERS = [1, 4, 5, 6, 7, 8, 11, 13, 14, 15, 16, 17, 18];
const PRIMARIES = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22];
/** All curves with the primaries of sRGB and of BT.2020, and some with the others. */
const CODES = PRIMARIES.flatMap((primaries) =>
  (primaries === 1 || primaries === 9 ? TRANSFERS : [8, 13, 16]).map((transfer) => [primaries, transfer] as const),
);

/** Every kind of colours that Chromium knows, in every format that can have it. */
export async function colourSamples(): Promise<ColourSample[]> {
  return [...pngSamples(await profiles()), ...avifSamples(), ...(await otherSamples(await profiles()))];
}

async function profiles() {
  const [p3, srgb] = [await bundledProfile('p3'), await bundledProfile('srgb')];
  return {
    p3,
    srgb,
    pq: withCodes(p3, 9, 16),
    hlg: withCodes(p3, 9, 18),
    linear: withCodes(p3, 1, 8),
    limited: withCodes(p3, 9, 16, 0),
    unknown: withCodes(p3, 2, 2),
  };
}

type Profiles = Awaited<ReturnType<typeof profiles>>;

function pngSamples({ p3, srgb, pq, hlg, linear, limited, unknown }: Profiles): ColourSample[] {
  const sample = (what: string, depth: Depth, chunks: readonly Buffer[], numbers?: readonly number[]): ColourSample => ({
    name: `PNG, ${what}, ${numbers ? 'grey, ' : ''}${depth} bits`,
    type: 'image/png',
    file: chartPng(depth, chunks, numbers),
  });
  const cases: Record<string, readonly Buffer[]> = {
    nothing: [],
    'gAMA 1': [gamma(100_000)],
    'gAMA 1/1.8': [gamma(55_556)],
    'gAMA 1/2.2': [gamma(45_455)],
    'gAMA 1/2.3': [gamma(43_478)],
    'gAMA 1/2.4': [gamma(41_667)],
    'gAMA 0': [gamma(0)],
    'gAMA 1/2.2 and cHRM of sRGB': [gamma(45_455), chromaticities(0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)],
    'gAMA 1/2.2 and cHRM of P3': [gamma(45_455), chromaticities(...P3_CHROMATICITIES)],
    'gAMA 1 and cHRM of P3': [gamma(100_000), chromaticities(...P3_CHROMATICITIES)],
    'gAMA 1 and a cHRM of zeros': [gamma(100_000), chromaticities(0.3127, 0.329, 0, 0, 0, 0, 0, 0)],
    'cHRM of P3': [chromaticities(...P3_CHROMATICITIES)],
    'sRGB before gAMA 1': [pngChunk('sRGB', Buffer.of(0)), gamma(100_000)],
    'sRGB with an unknown intent, gAMA 1': [pngChunk('sRGB', Buffer.of(9)), gamma(100_000)],
    'two gAMAs': [gamma(100_000), gamma(45_455)],
    'iCCP of sRGB': [iccp(srgb)],
    'iCCP of P3': [iccp(p3)],
    'iCCP of P3 before sRGB and gAMA 1': [iccp(p3), pngChunk('sRGB', Buffer.of(0)), gamma(100_000)],
    'iCCP with cicp 9/16': [iccp(pq)],
    'iCCP with cicp 9/18': [iccp(hlg)],
    'iCCP with cicp 1/8': [iccp(linear)],
    'iCCP with cicp 9/16 of limited range': [iccp(limited)],
    'iCCP with cicp 2/2': [iccp(unknown)],
    'iCCP with cicp 9/16, cLLI 4000': [iccp(pq), lightLevel(4_000)],
    'cICP 9/16 after iCCP of P3': [iccp(p3), cicp(9, 16)],
    'cICP 1/13 after iCCP of P3, gAMA 1': [iccp(p3), gamma(100_000), cicp(1, 13)],
    'unknown cICP 2/2 after iCCP of P3': [iccp(p3), cicp(2, 2)],
    'cICP 9/16 of limited range': [cicp(9, 16, 0, 0)],
    'unknown cICP 2/16': [cicp(2, 16)],
    'cICP 9/16, cLLI 100': [cicp(9, 16), lightLevel(100)],
    'cICP 9/16, cLLI 400': [cicp(9, 16), lightLevel(400)],
    'cICP 9/16, cLLI 4000': [cicp(9, 16), lightLevel(4_000)],
    'cICP 9/16, mDCV 600': [cicp(9, 16), displayVolume(600)],
    'cICP 9/16, mDCV 600, cLLI 4000': [cicp(9, 16), displayVolume(600), lightLevel(4_000)],
    'cICP 9/18, cLLI 400': [cicp(9, 18), lightLevel(400)],
  };
  const greys: Record<string, readonly Buffer[]> = {
    nothing: [],
    'gAMA 1': [gamma(100_000)],
    'cICP 9/16': [cicp(9, 16)],
    'cICP 9/18': [cicp(9, 18)],
    'cICP 9/1': [cicp(9, 1)],
  };
  return ([8, 16] as const).flatMap((depth) => [
    ...Object.entries(cases).map(([what, chunks]) => sample(what, depth, chunks)),
    ...CODES.map(([primaries, transfer]) => sample(`cICP ${primaries}/${transfer}`, depth, [cicp(primaries, transfer)])),
    ...Object.entries(greys).map(([what, chunks]) => sample(what, depth, chunks, GREYS)),
  ]);
}

function avifSamples(): ColourSample[] {
  const sample = (what: string, file: Buffer): ColourSample => ({ name: `AVIF, ${what}`, type: 'image/avif', file });
  const described = (fixture: string, what: string, codes: readonly (readonly [number, number])[]) =>
    codes.map(([primaries, transfer]) =>
      sample(`nclx ${primaries}/${transfer}, ${what}`, withNclx(colourFixture(fixture), primaries, transfer)),
    );
  // Of matrices and ranges, there are some of each; the decoder's own tests have all.
  const some = [
    [1, 13],
    [9, 1],
    [9, 16],
    [9, 18],
    [12, 13],
  ] as const;
  return [
    // Chromium refuses AVIFs with xvYCC.
    ...described('deep.avif', '10 bits', [...CODES.filter(([, transfer]) => transfer !== 11), [1, 2], [2, 2], [2, 16], [9, 2]]),
    ...described('limited.avif', '10 bits, BT.2020, limited range', some),
    ...described('grey-limited.avif', 'grey, 8 bits, limited range', some),
    ...described('deep-grey-limited.avif', 'grey, 10 bits, limited range', some),
    ...(['deep.avif', 'limited.avif', 'grey-limited.avif'] as const).map((name) =>
      sample(`coded colours only, ${name}`, withoutNclx(colourFixture(name))),
    ),
  ];
}

async function otherSamples({ p3, pq }: Profiles): Promise<ColourSample[]> {
  const jpeg = await chartJpeg();
  return [
    { name: 'JPEG, nothing', type: 'image/jpeg', file: jpeg },
    { name: 'JPEG, profile of P3', type: 'image/jpeg', file: withJpegProfile(jpeg, p3) },
    { name: 'JPEG, profile with cicp 9/16', type: 'image/jpeg', file: withJpegProfile(jpeg, pq) },
    { name: 'JPEG, ink without a profile', type: 'image/jpeg', file: await chartJpeg('cmyk') },
    { name: 'WebP, profile of P3', type: 'image/webp', file: await chartWebp(p3) },
    { name: 'WebP, profile with cicp 9/16', type: 'image/webp', file: await chartWebp(pq) },
    { name: 'BMP, profile of P3', type: 'image/bmp', file: chartBmp(p3) },
    { name: 'BMP, profile with cicp 9/16', type: 'image/bmp', file: chartBmp(pq) },
  ];
}

/** The red, green and blue of each colour of a sample's picture, in which it may be a block: what is in its middle. */
export async function coloursIn(picture: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const side = info.width / CHART.width;
  const colours = Buffer.alloc(3 * PIXELS);
  for (let i = 0; i < PIXELS; i++) {
    const [x, y] = [i % CHART.width, Math.floor(i / CHART.width)].map((place) => place * side + Math.floor(side / 2)) as [number, number];
    data.copy(colours, 3 * i, 3 * (y * info.width + x), 3 * (y * info.width + x) + 3);
  }
  return colours;
}

/** What Chromium shows of the samples. */
export interface Recorded {
  /** Its version. */
  browser: string;
  /** The colours of each sample, by its name. */
  colours: Record<string, string>;
}

export const RECORDED = 'test/fixtures/colours/chromium.json';
