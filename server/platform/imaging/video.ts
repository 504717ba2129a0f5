import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import type { Of, Video } from './inspect.ts';
import { checkLimits, DEFAULT_IMAGE_LIMITS } from './limits.ts';

/** What a decoder takes while it copies a video: blocks of it, and the table of its samples. */
const REMUX_BYTES = 60_000_000;
/** Of processor time; 500 MiB take about three. */
const REMUX_SECONDS = 60;

/**
 * Writes a video into a new container, without metadata and further tracks, with its index at the start and its samples unchanged.
 * @param maxSeconds the longest video; 0: any
 * @throws ImageError
 */
export async function remuxVideo({ file, format }: Of<Pick<Video, 'format'>>, output: string, maxSeconds: number, decoding: Decoding) {
  const options = { size: file.size, isWebm: format === 'webm', maxSeconds };
  const work = () => decoders.run('remux', options, REMUX_SECONDS, { input: file, output, inParts: true });
  const video = await decoding(REMUX_BYTES, work, Number.POSITIVE_INFINITY);
  checkLimits({ width: video.width, height: video.height, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  return video;
}

/** The lines of a digit, as on a clock: the four at its sides, and three across. */
const LINES = ['M0 0H10', 'M10 0V10', 'M10 10V20', 'M0 20H10', 'M0 10V20', 'M0 0V10', 'M0 10H10'] as const;
/** Which of them each digit has, by bits. */
const DIGITS = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f] as const;
const COLON = 'M0 5V6M0 14V15';
const DIGIT_WIDTH = 17;
const COLON_WIDTH = 8;

/** A neutral picture (SVG) that stands for a video without a poster, with its duration. It has no text, since drawings are rendered without fonts. */
export function drawVideoTile({ width, height, duration }: { width: number; height: number; duration: number }): Buffer {
  const unit = Math.min(width, height) / 100;
  const clock = clockOf(duration);
  const shown = clock.at;
  const symbol = `<path d="M-10 -14L14 0L-10 14Z" transform="translate(${width / 2} ${height / 2 - 10 * unit}) scale(${unit})" fill="#fff"/>`;
  const place = `translate(${width / 2 - (shown / 2) * 0.6 * unit} ${height / 2 + 18 * unit}) scale(${0.6 * unit})`;
  const time = `<path d="${clock.path}" transform="${place}" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#3b4649"/>${symbol}${time}</svg>`,
  );
}

/** The lines of a time such as 1:05 or 1:02:03, and how wide they are. */
function clockOf(duration: number): { path: string; at: number } {
  const seconds = Math.round(duration / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  const text = [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
  let path = '';
  let at = 0;
  for (const letter of text) {
    const lines = letter === ':' ? COLON : LINES.filter((_, bit) => ((DIGITS[Number(letter)] ?? 0) >> bit) & 1).join('');
    path += lines.replace(/([MH])(\d+)/g, (_, command: string, x: string) => `${command}${Number(x) + at}`);
    at += letter === ':' ? COLON_WIDTH : DIGIT_WIDTH;
  }
  return { path, at: at - (DIGIT_WIDTH - 10) };
}
