/** Chromaticities x and y of red, green, blue and white. */
export type Primaries = readonly [number, number, number, number, number, number, number, number];

export type Vector = readonly [number, number, number];
export type Matrix = readonly [Vector, Vector, Vector];

const D65 = [0.3127, 0.329] as const;
const C = [0.31, 0.316] as const;

export const BT709: Primaries = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, ...D65];
export const BT2020: Primaries = [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, ...D65];

/** By their code points in ITU-T H.273, table 2. */
export const PRIMARIES: Readonly<Record<number, Primaries>> = {
  1: BT709,
  4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, ...C],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06, ...D65],
  6: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, ...D65],
  7: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, ...D65],
  8: [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, ...C],
  9: BT2020,
  10: [1, 0, 0, 1, 0, 0, 1 / 3, 1 / 3],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, ...D65],
  22: [0.63, 0.34, 0.295, 0.605, 0.155, 0.077, ...D65],
};

/** The white of ICC's connection space. */
export const D50: Vector = [0.9642, 1, 0.8249];

/** Bradford's cones (ICC.1:2022 annex E). */
const CONES: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** From light in these primaries to XYZ, adapted to D50. */
export function toConnectionSpace(primaries: Primaries): Matrix {
  const [rx, ry, gx, gy, bx, by, wx, wy] = primaries;
  const columns = transposed([xyz(rx, ry), xyz(gx, gy), xyz(bx, by)]);
  const white = scaled(xyz(wx, wy), 1 / wy);
  const strengths = applied(inverse(columns), white);
  const [from, to] = [applied(CONES, white), applied(CONES, D50)];
  const adaptation = product(inverse(CONES), product(diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]), CONES));
  return product(adaptation, product(columns, diagonal(strengths)));
}

/** From light in some primaries to light in others. */
export function between(from: Primaries, to: Primaries): Matrix {
  return product(inverse(toConnectionSpace(to)), toConnectionSpace(from));
}

/** Whether these can be primaries: they span a triangle, and white has light. */
export function isPrimaries(values: Primaries): boolean {
  return values[7] > 0 && toConnectionSpace(values).flat().every(Number.isFinite);
}

export function applied([a, b, c]: Matrix, v: Vector): Vector {
  const dot = (row: Vector) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
  return [dot(a), dot(b), dot(c)];
}

const xyz = (x: number, y: number): Vector => [x, y, 1 - x - y];
const scaled = ([a, b, c]: Vector, by: number): Vector => [a * by, b * by, c * by];
const diagonal = ([a, b, c]: Vector): Matrix => [
  [a, 0, 0],
  [0, b, 0],
  [0, 0, c],
];
const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

function product(a: Matrix, b: Matrix): Matrix {
  const [first, second, third] = transposed(b);
  return transposed([applied(a, first), applied(a, second), applied(a, third)]);
}

function inverse(matrix: Matrix): Matrix {
  const [a, b, c] = matrix;
  const [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
  return transposed([scaled(x, 1 / determinant), scaled(y, 1 / determinant), scaled(z, 1 / determinant)]);
}

const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
