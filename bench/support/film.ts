import type { CDPSession } from 'playwright';
import sharp from 'sharp';

/** What a film of a page that loads shows, in milliseconds since the navigation began. */
export interface Film {
  /** Until the first frame that isn't one colour. */
  firstPixel: number;
  /** How long the page was of one colour again after that. */
  blank: number;
  /** The mean time at which the page got its last look (Speed Index): each moment counts by how much of the last frame's colours is still missing. */
  speedIndex: number;
}

interface Frame {
  /** Milliseconds since 1970. */
  at: number;
  png: Buffer;
}

/** Wide enough for a line of text to be seen. */
const WIDTH = 480;
/** Of 255: how far the values of a plain surface are apart once it was scaled and compressed. */
const PLAIN = 6;
/** Bins of a histogram for each channel. */
const BINS = 32;

/** Films the page until `stop` is called, which says when its navigation began, in milliseconds since 1970. */
export async function startFilm(devtools: CDPSession): Promise<(start: number) => Promise<Film>> {
  const frames: Frame[] = [];
  devtools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ at: (metadata.timestamp ?? 0) * 1000, png: Buffer.from(data, 'base64') });
    // A page that is closed takes no more frames.
    void devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await devtools.send('Page.startScreencast', { format: 'png', maxWidth: WIDTH, maxHeight: WIDTH * 2, everyNthFrame: 1 });
  return async (start) => {
    const end = Date.now();
    await devtools.send('Page.stopScreencast');
    return judge(
      frames.filter(({ at }) => at >= start),
      start,
      end,
    );
  };
}

async function judge(frames: readonly Frame[], start: number, end: number): Promise<Film> {
  const looks = await Promise.all(
    frames.map(async ({ at, png }) => {
      const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return { at, plain: isPlain(data, info.channels), histogram: histogramOf(data, info.channels) };
    }),
  );
  const [first, last] = [looks.find(({ plain }) => !plain), looks.at(-1)];
  if (!first || !last) return { firstPixel: Number.NaN, blank: Number.NaN, speedIndex: Number.NaN };
  const before = looks[0]?.plain ? looks[0].histogram : histogramOf(Buffer.alloc(3, 255), 3);
  const whole = distance(before, last.histogram);
  let [blank, speedIndex] = [0, first.at - start];
  for (const [index, look] of looks.entries()) {
    if (look.at < first.at) continue;
    const until = looks[index + 1]?.at ?? end;
    if (look.plain) blank += until - look.at;
    speedIndex += Math.min(1, whole > 0 ? distance(look.histogram, last.histogram) / whole : 0) * (until - look.at);
  }
  return { firstPixel: first.at - start, blank, speedIndex };
}

function isPlain(pixels: Buffer, channels: number): boolean {
  for (let index = 0; index < pixels.length; index++)
    if (Math.abs((pixels[index] as number) - (pixels[index % channels] as number)) > PLAIN) return false;
  return true;
}

/** How often each value is there, as shares of all pixels, channel after channel. */
function histogramOf(pixels: Buffer, channels: number): Float64Array {
  const shares = new Float64Array(channels * BINS);
  const one = channels / pixels.length;
  for (let index = 0; index < pixels.length; index++) {
    const bin = (index % channels) * BINS + Math.floor(((pixels[index] as number) * BINS) / 256);
    shares[bin] = (shares[bin] as number) + one;
  }
  return shares;
}

const distance = (one: Float64Array, other: Float64Array) =>
  one.reduce((sum, share, index) => sum + Math.abs(share - (other[index] as number)), 0);
