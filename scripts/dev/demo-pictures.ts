// Draws the pictures of the demo data.
import { extname } from 'node:path';
import sharp from 'sharp';

/** A generated picture; the same drawing is the same picture every time. */
export interface Drawing {
  kind: 'landscape' | 'window' | 'abstract';
  seed: number;
  portrait?: boolean;
}

const LONG_SIDE = 1600;
const SHORT_SIDE = 1067;

/** The drawing as a file, in the format of the name's extension. */
export async function draw({ kind, seed, portrait = false }: Drawing, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const [width, height] = portrait ? [SHORT_SIDE, LONG_SIDE] : [LONG_SIDE, SHORT_SIDE];
  const shapes = { landscape, window: screen, abstract }[kind](width, height, randomNumbers(seed + 1));
  const image = sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`));
  const format = { '.png': 'png', '.webp': 'webp' } as const;
  return new Uint8Array(await image.toFormat(format[extname(name) as keyof typeof format] ?? 'jpeg').toBuffer());
}

type Random = (from: number, to: number) => number;

/** Numbers that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): Random {
  let state = seed * 0x9e3779b9;
  return (from, to) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (to - from);
  };
}

/** Hills in front of each other, below the sun. */
function landscape(width: number, height: number, random: Random): string {
  const hue = random(0, 360);
  const sky = `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue + 200} 60% 45%)"/><stop offset="1" stop-color="hsl(${hue + 30} 80% 82%)"/></linearGradient>`;
  const sun = `<circle cx="${random(0.2, 0.8) * width}" cy="${random(0.15, 0.45) * height}" r="${random(0.04, 0.1) * width}" fill="hsl(${hue + 40} 95% 88%)"/>`;
  const hills = [0, 1, 2, 3].map((layer) => {
    const base = height * (0.5 + layer * 0.13);
    const points = Array.from({ length: 9 }, (_, step) => `${(step / 8) * width},${base - random(0, 0.22 - layer * 0.04) * height}`);
    return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="hsl(${hue + 210} ${30 + layer * 8}% ${62 - layer * 14}%)"/>`;
  });
  return `<defs>${sky}</defs><rect width="100%" height="100%" fill="url(#sky)"/>${sun}${hills.join('')}`;
}

/** A program's window with a side bar and lines of text. */
function screen(width: number, height: number, random: Random): string {
  const hue = random(0, 360);
  const lines = Array.from({ length: Math.floor(height / 65) }, (_, line) => {
    const indent = 30 * Math.floor(random(0, 4));
    return `<rect x="${width * 0.26 + indent}" y="${150 + line * 52}" width="${random(0.15, 0.6) * width}" height="20" rx="10" fill="hsl(${hue + random(-40, 40)} 45% 72%)"/>`;
  });
  const items = Array.from(
    { length: 9 },
    (_, item) => `<rect x="40" y="${150 + item * 70}" width="${random(120, 300)}" height="24" rx="12" fill="hsl(${hue} 25% 55%)"/>`,
  );
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, index) => `<circle cx="${50 + index * 44}" cy="45" r="14" fill="${colour}"/>`,
  );
  return `<rect width="100%" height="100%" fill="hsl(${hue} 30% 14%)"/><rect width="22%" height="100%" fill="hsl(${hue} 30% 20%)"/>
    <rect width="100%" height="90" fill="hsl(${hue} 25% 26%)"/>${[...buttons, ...items, ...lines].join('')}`;
}

/** Overlapping circles. */
function abstract(width: number, height: number, random: Random): string {
  const hue = random(0, 360);
  const circles = Array.from(
    { length: 26 },
    () =>
      `<circle cx="${random(0, width)}" cy="${random(0, height)}" r="${random(0.04, 0.25) * width}" fill="hsl(${hue + random(-60, 60)} 70% ${random(45, 75)}%)" opacity="0.55"/>`,
  );
  return `<rect width="100%" height="100%" fill="hsl(${hue} 50% 88%)"/>${circles.join('')}`;
}
