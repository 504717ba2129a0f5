/** Waves per side that are compared. */
const WAVES = 8;
/** Shades of grey (of 255) that a wave must have: smaller ones are noise, which copies don't share. */
const MIN_SHADES = 0.1;
/** Waves that an image must have for a comparison to mean something; plain areas and gradients have fewer. */
const MIN_WAVES = 24;

/**
 * A hash of what an image looks like, as 16 hexadecimal digits: which of the 64 slowest waves of its brightness are positive.
 * Copies of an image in other sizes, formats or qualities differ in a few bits only (decision 131).
 * @returns an empty text for an image without anything to compare
 */
export function perceptualHash(width: number, height: number, rgba: Uint8Array): string {
  const brightness = (at: number) => 0.299 * (rgba[4 * at] ?? 0) + 0.587 * (rgba[4 * at + 1] ?? 0) + 0.114 * (rgba[4 * at + 2] ?? 0);
  const [across, down] = [cosines(width), cosines(height)];
  const rows = new Float64Array(WAVES * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const shade = brightness(y * width + x);
      for (let u = 0; u < WAVES; u++) rows[u * height + y] = (rows[u * height + y] as number) + shade * (across[u * width + x] as number);
    }
  const waves: number[] = [];
  for (let v = 0; v < WAVES; v++)
    for (let u = 0; u < WAVES; u++) {
      let sum = 0;
      for (let y = 0; y < height; y++) sum += (rows[u * height + y] as number) * (down[v * height + y] as number);
      waves.push(sum / (width * height));
    }
  waves[0] = 0; // the average brightness isn't compared
  if (waves.filter((wave) => Math.abs(wave) > MIN_SHADES).length < MIN_WAVES) return '';
  // Neighbouring waves are in different quarters of the hash, by which hashes are looked up: pictures without fast waves would all have the same last one.
  const places = waves.map((_, at) => 4 * (at % 16) + (at >> 4));
  const bits = places.map((at) => ((waves[at] as number) > MIN_SHADES ? '1' : '0')).join('');
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0');
}

/** The values of the waves at each point of a line. */
function cosines(length: number): Float64Array {
  return Float64Array.from({ length: WAVES * length }, (_, at) =>
    Math.cos((Math.PI * Math.floor(at / length) * (2 * (at % length) + 1)) / (2 * length)),
  );
}

/** Lines of pixels from the top, each of which starts with red, green and blue. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/** How much a line of the picture contributes to a line of the copy. */
interface Part {
  y: number;
  share: number;
  /** Where the pixels of the copy begin, and where the last one ends. */
  edges: Float64Array;
}

/** An opaque copy in RGBA whose longer side has `side` pixels, each of them the average of what it covers. */
export function smallCopy(picture: Pixels, side: number): Pixels {
  const { width, height } = picture;
  const scale = side / Math.max(width, height);
  const columns = Math.max(1, Math.round(width * scale));
  const rows = Math.max(1, Math.round(height * scale));
  const edges = Float64Array.from({ length: columns + 1 }, (_, column) => (column * width) / columns);
  const covered = (width * height) / (columns * rows);
  const data = new Uint8Array(4 * columns * rows).fill(255);
  const sums = new Float64Array(3 * (columns + 1));
  for (let row = 0; row < rows; row++) {
    const [top, bottom] = [(row * height) / rows, ((row + 1) * height) / rows];
    sums.fill(0);
    for (let y = Math.floor(top); y < bottom; y++) addLine(picture, { y, share: Math.min(bottom, y + 1) - Math.max(top, y), edges }, sums);
    for (let column = 0; column < columns; column++)
      for (let colour = 0; colour < 3; colour++)
        data[4 * (row * columns + column) + colour] = Math.round((sums[3 * column + colour] as number) / covered);
  }
  return { width: columns, height: rows, channels: 4, data };
}

/** Adds whole pixels as integers, which is faster, and then divides those that an edge goes through. */
function addLine({ width, channels, data }: Pixels, { y, share, edges }: Part, sums: Float64Array): void {
  for (let column = 0; column < edges.length - 1; column++) {
    const edge = edges[column + 1] as number;
    const end = channels * (y * width + Math.floor(edge));
    let at = channels * (y * width + Math.floor(edges[column] as number));
    let red = 0;
    let green = 0;
    let blue = 0;
    for (; at < end; at += channels) {
      red += data[at] as number;
      green += data[at + 1] as number;
      blue += data[at + 2] as number;
    }
    const to = 3 * column;
    sums[to] = (sums[to] as number) + share * red;
    sums[to + 1] = (sums[to + 1] as number) + share * green;
    sums[to + 2] = (sums[to + 2] as number) + share * blue;
    const before = share * (edge - Math.floor(edge));
    if (before === 0) continue;
    for (let colour = 0; colour < 3; colour++) {
      const part = before * (data[end + colour] as number);
      sums[to + colour] = (sums[to + colour] as number) + part;
      sums[to + 3 + colour] = (sums[to + 3 + colour] as number) - part;
    }
  }
}
