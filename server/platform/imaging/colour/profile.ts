import { expanded, lightOf, srgbLight, toneMapped } from './curves.ts';
import { type ColourDescription, isHdr } from './description.ts';
import { BT709, D50, toConnectionSpace, type Vector } from './primaries.ts';

// ICC profiles for Little CMS, which is how libvips converts colours (ICC.1:2022). They only exist in memory, and have no texts. They are of version 2, although the
// type of their tables is newer: for those of version 4, Little CMS moves black to where printers have it.

/** Of a grid of colours, per side: fine enough that no colour is off by more than a few steps of 255 between its points. */
const RGB_POINTS = 17;
const INK_POINTS = 9;
/** Of curves: so many that the darkest numbers of linear light have points of their own. */
const CURVE_POINTS = 4096;

/**
 * A profile with this meaning.
 * @param channels of the picture, without alpha
 */
export function profileOf(description: ColourDescription, channels: 1 | 3): Buffer {
  if (channels === 1) return profile('GRAY', [['kTRC', curve(greyLight(description))]]);
  if (!isHdr(description)) return matrixProfile(description);
  const [full, shown] = [fullRange(description), toneMapped(description)];
  return tableProfile('RGB ', RGB_POINTS, ([r, g, b]) => shown([full(r), full(g), full(b)]));
}

/** Ink as programs without colour management show it: each takes its share of light, and black of all. */
export function inkProfile(): Buffer {
  return tableProfile('CMYK', INK_POINTS, ([c = 0, m = 0, y = 0, k = 0]) => [(1 - c) * (1 - k), (1 - m) * (1 - k), (1 - y) * (1 - k)]);
}

function greyLight(description: ColourDescription): (number: number) => number {
  const full = fullRange(description);
  const { transfer } = description;
  if (transfer !== 'pq' && transfer !== 'hlg') {
    const light = lightOf(transfer);
    return (v) => light(full(v));
  }
  const shown = toneMapped(description);
  return (v) => srgbLight(shown([full(v), full(v), full(v)])[0]);
}

const fullRange = ({ isLimited }: ColourDescription) => (isLimited ? expanded : (v: number) => v);

function matrixProfile(description: ColourDescription): Buffer {
  const [x, y, z] = toConnectionSpace(description.primaries);
  const light = curve(greyLight(description));
  return profile('RGB ', [
    ['rXYZ', xyzTag([x[0], y[0], z[0]])],
    ['gXYZ', xyzTag([x[1], y[1], z[1]])],
    ['bXYZ', xyzTag([x[2], y[2], z[2]])],
    ['rTRC', light],
    ['gTRC', light],
    ['bTRC', light],
  ]);
}

/** @param shown the sRGB of a colour */
function tableProfile(space: 'RGB ' | 'CMYK', points: number, shown: (numbers: Vector) => Vector): Buffer {
  const inputs = space.trim().length;
  const same = padded(powerCurve(1));
  const grid = padded(gridOf(inputs, points, shown));
  const curves = padded(srgbCurve());
  const matrix = Buffer.concat([...toConnectionSpace(BT709).flat(), 0, 0, 0].map((value) => fixed(value * XYZ_SCALE)));
  const head = Buffer.alloc(32);
  head.write('mAB ', 'latin1');
  head.writeUInt8(inputs, 8);
  head.writeUInt8(3, 9);
  // In the reverse of the order in which they apply: curves, matrix, curves, grid, and curves of the inputs.
  const parts = [repeated(same, 3), matrix, repeated(curves, 3), grid, repeated(same, inputs)];
  let at = head.length;
  for (const [index, part] of parts.entries()) {
    head.writeUInt32BE(at, 12 + 4 * index);
    at += part.length;
  }
  return profile(space, [['A2B0', Buffer.concat([head, ...parts])]]);
}

/** In the output of a table, 1 is 32,768 of 65,535. */
const XYZ_SCALE = 32_768 / 65_535;

function gridOf(inputs: number, points: number, shown: (numbers: Vector) => Vector): Buffer {
  const head = Buffer.alloc(20);
  head.fill(points, 0, inputs);
  head.writeUInt8(2, 16);
  const values = Buffer.alloc(points ** inputs * 6);
  const numbers = new Array<number>(inputs).fill(0);
  for (let index = 0, at = 0; at < values.length; index++) {
    for (let input = inputs - 1, rest = index; input >= 0; input--, rest = Math.floor(rest / points))
      numbers[input] = (rest % points) / (points - 1);
    for (const value of shown(numbers as unknown as Vector)) at = values.writeUInt16BE(Math.round(value * 65_535), at);
  }
  return Buffer.concat([head, values]);
}

type Tag = readonly [name: string, data: Buffer];

function profile(space: 'RGB ' | 'GRAY' | 'CMYK', described: readonly Tag[]): Buffer {
  const tags: Tag[] = [['wtpt', xyzTag(D50)], ...described];
  const head = Buffer.alloc(128 + 4 + 12 * tags.length);
  head.writeUInt32BE(0x02400000, 8);
  head.write(`${space === 'CMYK' ? 'prtr' : 'mntr'}${space}XYZ `, 12, 'latin1');
  for (const [index, value] of [2000, 1, 1].entries()) head.writeUInt16BE(value, 24 + 2 * index);
  head.write('acsp', 36, 'latin1');
  xyzTag(D50).copy(head, 68, 8);
  head.writeUInt32BE(tags.length, 128);
  let end = head.length;
  const places = new Map<Buffer, number>();
  for (const [index, [name, data]] of tags.entries()) {
    const at = places.get(data) ?? end;
    if (at === end) end += padded(data).length;
    places.set(data, at);
    head.write(name, 132 + 12 * index, 'latin1');
    head.writeUInt32BE(at, 136 + 12 * index);
    head.writeUInt32BE(data.length, 140 + 12 * index);
  }
  head.writeUInt32BE(end);
  return Buffer.concat([head, ...[...places.keys()].map(padded)]);
}

const xyzTag = (values: Vector) => Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...values.map(fixed)]);

function curve(light: (number: number) => number): Buffer {
  const data = Buffer.alloc(12 + 2 * CURVE_POINTS);
  data.write('curv', 'latin1');
  data.writeUInt32BE(CURVE_POINTS, 8);
  for (let i = 0; i < CURVE_POINTS; i++) data.writeUInt16BE(Math.round(Math.min(1, light(i / (CURVE_POINTS - 1))) * 65_535), 12 + 2 * i);
  return data;
}

const powerCurve = (exponent: number) => Buffer.concat([Buffer.from('para\0\0\0\0\0\0\0\0', 'latin1'), fixed(exponent)]);

function srgbCurve(): Buffer {
  const parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed);
  return Buffer.concat([Buffer.from('para\0\0\0\0\0\x03\0\0', 'latin1'), ...parameters]);
}

/** A number with 16 bits after the point. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
}

const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
const repeated = (data: Buffer, times: number) => Buffer.concat(new Array<Buffer>(times).fill(data));
