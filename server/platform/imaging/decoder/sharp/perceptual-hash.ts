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
