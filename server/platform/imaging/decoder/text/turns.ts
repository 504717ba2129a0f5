import type { RecognizedWord, TextBox } from '../../types.ts';
import type { GreyPicture } from './types.ts';

/** Degrees, clockwise, by which a picture is turned before it is read. */
export const TURNS = [90, 270, 180] as const;
export type Turn = (typeof TURNS)[number];

export function turned(picture: GreyPicture, turn: Turn): GreyPicture {
  const { width, height, pixels } = picture;
  const size = turn === 180 ? { width, height } : { width: height, height: width };
  const result = new Uint8Array(pixels.length);
  for (let y = 0, at = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, at++) {
      const [fromX, fromY] = sourceOf(turn, [x, y], picture);
      result[at] = pixels[fromY * width + fromX] as number;
    }
  }
  return { ...size, pixels: result };
}

/** Where a pixel of the turned picture is in the picture. */
function sourceOf(turn: Turn, [x, y]: [number, number], { width, height }: GreyPicture): [number, number] {
  if (turn === 90) return [y, height - 1 - x];
  if (turn === 180) return [width - 1 - x, height - 1 - y];
  return [width - 1 - y, x];
}

/** Turns a word of the turned picture back. */
export function turnedBack<W extends RecognizedWord>(word: W, turn: Turn, picture: GreyPicture): W {
  const [x, y, width, height] = word.box;
  const [ax, ay] = sourceOf(turn, [x, y], picture);
  const [bx, by] = sourceOf(turn, [x + width - 1, y + height - 1], picture);
  const box: TextBox = [Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx) + 1, Math.abs(ay - by) + 1];
  return { ...word, box };
}

/** Pixels of a side of a sample. */
const SAMPLE_SIDE = 500;
/** Rows from one to the next in which edges are counted. */
const STEP = 4;
/** Between neighbours at the edge of a letter. */
const EDGE = 40;

/** The part of a picture with the most edges, where most of its text is, if it has any. */
export function sampleOf(picture: GreyPicture): GreyPicture {
  const { width, height, pixels } = picture;
  const size = { width: Math.min(width, SAMPLE_SIDE), height: Math.min(height, SAMPLE_SIDE) };
  const edgesAt = (left: number, top: number) => {
    let edges = 0;
    for (let y = top; y < top + size.height; y += STEP) {
      for (let at = y * width + left + 1; at < y * width + left + size.width; at++) {
        if (Math.abs((pixels[at] as number) - (pixels[at - 1] as number)) > EDGE) edges++;
      }
    }
    return edges;
  };
  const offsets = (length: number, side: number) =>
    [...new Array(Math.ceil(length / side)).keys()].map((i) => Math.min(i * side, length - side));
  const places = offsets(height, size.height).flatMap((top) =>
    offsets(width, size.width).map((left) => ({ left, top, edges: edgesAt(left, top) })),
  );
  const { left, top } = places.reduce((best, place) => (place.edges > best.edges ? place : best));
  const result = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = (top + y) * width + left;
    result.set(pixels.subarray(from, from + size.width), y * size.width);
  }
  return { ...size, pixels: result };
}
