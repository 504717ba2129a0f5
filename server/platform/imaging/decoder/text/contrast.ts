import type { TextBox } from '../../types.ts';
import type { GreyPicture } from './types.ts';

/** Between neighbours in an even area: faint gradients, and the noise of a JPEG of high quality. */
const EVEN_STEP = 4;
/** Pixels of the smallest area that counts as a ground: larger than those within letters of ordinary size. */
const MIN_GROUND = 300;
/** Makes faint text black. */
const GAIN = 2;

/** The part of all neighbours in a row that are alike: more in screenshots and drawings, fewer in photos. */
const DRAWN = 0.7;
const ALIKE = 2;

/** Whether a picture was drawn by a computer, or looks like it. */
export function isDrawn({ pixels }: GreyPicture): boolean {
  let alike = 0;
  for (let at = 1; at < pixels.length; at++) if (Math.abs((pixels[at] as number) - (pixels[at - 1] as number)) <= ALIKE) alike++;
  return alike >= DRAWN * pixels.length;
}

const WHITE = 255;
/** Below it, a picture is dark. */
const HALF = 128;

/** The picture in black on white: as it is, or a dark one inverted. */
export function onWhite(picture: GreyPicture): GreyPicture {
  return medianOf(picture) < HALF ? { ...picture, pixels: picture.pixels.map((grey) => WHITE - grey) } : picture;
}

function medianOf({ pixels }: GreyPicture): number {
  const counts = new Uint32Array(256);
  for (const grey of pixels) counts[grey] = (counts[grey] as number) + 1;
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen * 2 >= pixels.length;
  });
}

/**
 * What stands out from the even areas of a picture, such as pages, panels and buttons, in black on white, whatever the colours of the two.
 * Large letters are even areas themselves, and disappear.
 */
export function standingOut({ width, height, pixels }: GreyPicture): GreyPicture {
  const isGround = findGrounds({ width, height, pixels });
  const result = new Uint8Array(pixels.length).fill(WHITE);
  for (let row = 0; row < pixels.length; row += width) {
    // What is left of the first ground in a row stands on that, too.
    let ground = pixels[row] as number;
    for (let at = row; at < row + width; at++) {
      if (!isGround(at)) continue;
      ground = pixels[at] as number;
      break;
    }
    for (let at = row; at < row + width; at++) {
      const grey = pixels[at] as number;
      if (isGround(at)) ground = grey;
      else result[at] = WHITE - Math.min(WHITE, Math.abs(grey - ground) * GAIN);
    }
  }
  return { width, height, pixels: result };
}

/** Joins even neighbours, and returns whether a pixel belongs to a large area. */
function findGrounds({ width, pixels }: GreyPicture): (at: number) => boolean {
  const parents = new Int32Array(pixels.length).map((_, at) => at);
  const sizes = new Uint32Array(pixels.length).fill(1);
  const rootOf = (at: number) => {
    let root = at;
    for (let parent = parents[root] as number; parent !== root; parent = parents[root] as number) {
      // Shortens the way for the next time.
      parents[root] = parents[parent] as number;
      root = parent;
    }
    return root;
  };
  const join = (one: number, other: number) => {
    if (Math.abs((pixels[one] as number) - (pixels[other] as number)) > EVEN_STEP) return;
    let [large, small] = [rootOf(one), rootOf(other)];
    if (large === small) return;
    if ((sizes[large] as number) < (sizes[small] as number)) [large, small] = [small, large];
    parents[small] = large;
    sizes[large] = (sizes[large] as number) + (sizes[small] as number);
  };
  for (let at = 1; at < pixels.length; at++) {
    if (at % width > 0) join(at, at - 1);
    if (at >= width) join(at, at - width);
  }
  return (at) => (sizes[rootOf(at)] as number) >= MIN_GROUND;
}

/** A copy in which what was read is white. */
export function without({ width, height, pixels }: GreyPicture, boxes: readonly TextBox[]): GreyPicture {
  const result = new Uint8Array(pixels);
  for (const [x, y, w, h] of boxes) {
    for (let row = Math.max(0, y); row < Math.min(height, y + h); row++) {
      result.fill(WHITE, row * width + Math.max(0, x), row * width + Math.min(width, x + w));
    }
  }
  return { width, height, pixels: result };
}
