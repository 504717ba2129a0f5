/** The most waves along a side; the longer one has all of them. */
const MAX_WAVES = 7;

interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** The waves of one channel: `amplitudes[row * columns + column]`. */
interface Channel {
  columns: number;
  rows: number;
  amplitudes: Float64Array;
}

/**
 * Decodes the ThumbHash (https://evanw.github.io/thumbhash/) of a thumbnail, which is opaque. The format's own library computes every cosine
 * again for each pixel, which took half the time of a flight past thousands of images; here, they come from tables.
 * @param side pixels of the longer side; twice the waves along it keep everything
 */
export function decodeThumbHash(hash: Uint8Array, side: number): Pixels {
  const byte = (index: number) => hash[index] ?? 0;
  const lights = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const scales = byte(3) | (byte(4) << 8);
  const isLandscape = scales >> 15 === 1;
  const [across, down] = isLandscape ? [MAX_WAVES, scales & 7] : [scales & 7, MAX_WAVES];

  let next = 10; // in half bytes
  const readChannel = (columns: number, rows: number, mean: number, scale: number): Channel => {
    const amplitudes = new Float64Array(columns * rows);
    amplitudes[0] = mean;
    for (let row = 0; row < rows; row += 1)
      for (let column = row === 0 ? 1 : 0; column * rows < columns * (rows - row); column += 1, next += 1)
        amplitudes[row * columns + column] = 2 * scale * (((byte(next >> 1) >> ((next & 1) * 4)) & 15) / 7.5 - 1);
    return { columns, rows, amplitudes };
  };
  const light = readChannel(Math.max(3, across), Math.max(3, down), (lights & 63) / 63, ((lights >> 18) & 31) / 31);
  // More saturated than stored, since rounding took saturation away.
  const yellowBlue = readChannel(3, 3, ((lights >> 6) & 63) / 31.5 - 1, (((scales >> 3) & 63) / 63) * 1.25);
  const redGreen = readChannel(3, 3, ((lights >> 12) & 63) / 31.5 - 1, (((scales >> 9) & 63) / 63) * 1.25);

  const width = isLandscape ? side : Math.round((side * across) / down);
  const height = isLandscape ? Math.round((side * down) / across) : side;
  const [l, p, q] = [light, yellowBlue, redGreen].map((channel) => toSums(channel, width, height)) as [Sums, Sums, Sums];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0, at = 0; pixel < l.length; pixel += 1, at += 4) {
    const lightness = l[pixel] ?? 0;
    const difference = q[pixel] ?? 0;
    const blue = lightness - (2 / 3) * (p[pixel] ?? 0);
    const red = (3 * lightness - blue + difference) / 2;
    data[at] = 255 * red;
    data[at + 1] = 255 * (red - difference);
    data[at + 2] = 255 * blue;
    data[at + 3] = 255;
  }
  return { width, height, data };
}

/** The sum of a channel's waves in every pixel. */
type Sums = Float64Array;

function toSums({ columns, rows, amplitudes }: Channel, width: number, height: number): Sums {
  const [horizontal, vertical] = [cosines(width), cosines(height)];
  const sums = new Float64Array(width * height);
  const line = new Float64Array(columns);
  for (let y = 0; y < height; y += 1) {
    for (let column = 0; column < columns; column += 1) {
      let sum = 0;
      for (let row = 0; row < rows; row += 1) sum += (amplitudes[row * columns + column] ?? 0) * (vertical[y * MAX_WAVES + row] ?? 0);
      line[column] = sum;
    }
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let column = 0; column < columns; column += 1) sum += (line[column] ?? 0) * (horizontal[x * MAX_WAVES + column] ?? 0);
      sums[y * width + x] = sum;
    }
  }
  return sums;
}

const tables = new Map<number, Float64Array>();

/** The waves along a side: `table[pixel * MAX_WAVES + wave]`. */
function cosines(side: number): Float64Array {
  const known = tables.get(side);
  if (known) return known;
  const table = Float64Array.from({ length: side * MAX_WAVES }, (_, index) => {
    const [pixel, wave] = [Math.floor(index / MAX_WAVES), index % MAX_WAVES];
    return Math.cos((Math.PI / side) * (pixel + 0.5) * wave);
  });
  tables.set(side, table);
  return table;
}
