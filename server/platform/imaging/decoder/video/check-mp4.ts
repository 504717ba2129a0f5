import { damagedVideo, ImageTooLargeError, UnsupportedImageError } from '../../errors.ts';
import type { VideoReader } from './reader.ts';

/** Of both tracks of a video: ten hours of 30 pictures and 45 pieces of sound a second. */
export const MAX_SAMPLES = 2_700_000;
export const tooManySamples = () =>
  new ImageTooLargeError(`The video consists of more than ${MAX_SAMPLES.toLocaleString('en')} pieces. Cut it into shorter ones.`);

/** More than any recording has: one with fragments of a tenth of a second has 100,000 in three hours. */
const MAX_BOXES = 500_000;
const MAX_DEPTH = 12;
const MAX_TRACKS = 64;
/** The index of as many samples, with room for everything else. */
const MAX_INDEX_BYTES = 96 * 1024 * 1024;

/** Boxes that contain others (ISO/IEC 14496-12). */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'dinf', 'stbl', 'mvex', 'moof', 'traf', 'udta']);
/** Boxes whose header would be read as that of others. */
const PROTECTED: ReadonlySet<string> = new Set(['encv', 'enca', 'drmi', 'drms']);

/** Seconds from 1904 to 1970. */
const EPOCH = 2_082_844_800;

interface Inside {
  from: number;
  to: number;
  depth: number;
}

/**
 * Checks the boxes of an MP4 or MOV before anything else reads them: that each is inside the one around it, how deep they are, how many, and how many samples they claim.
 * Returns when it was made, in seconds since 1970, if that is stated.
 * @throws DamagedImageError, ImageTooLargeError, UnsupportedImageError for protected videos
 */
export async function checkMp4(file: VideoReader): Promise<number | undefined> {
  let boxes = 0;
  let samples = 0;
  let tracks = 0;
  let made: number | undefined;
  /** Whether there is an index. */
  let isIndexed = false;

  function count(more: number) {
    samples += more;
    if (samples > MAX_SAMPLES) throw tooManySamples();
  }

  /** What some boxes say, by their names. */
  const readers: Readonly<Record<string, (body: number, to: number) => Promise<void>>> = {
    async mvhd(body, to) {
      const view = await viewOf(file, body, Math.min(to, body + 12));
      const created = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4);
      if (created > EPOCH) made = created - EPOCH;
    },
    async stsz(body, to) {
      const view = await viewOf(file, body, Math.min(to, body + 12));
      const total = view.getUint32(8);
      count(total);
      if (view.getUint32(4) === 0 && body + 12 + total * 4 > to) throw damagedVideo();
    },
    async stz2(body, to) {
      count((await viewOf(file, body, Math.min(to, body + 12))).getUint32(8));
    },
    async trun(body, to) {
      count((await viewOf(file, body, Math.min(to, body + 8))).getUint32(4));
    },
    async stsd(body, to) {
      const entries = await viewOf(file, body, Math.min(to, body + 16));
      const type = textOf(entries, 12);
      if (PROTECTED.has(type))
        throw new UnsupportedImageError(
          'This video is protected against copying (DRM) and can’t be stored. Upload one without protection.',
        );
    },
  };

  async function walk({ from, to, depth }: Inside): Promise<void> {
    if (depth > MAX_DEPTH) throw damagedVideo();
    for (let at = from; at < to; ) {
      if (++boxes > MAX_BOXES) throw new ImageTooLargeError('The video has too many parts. Save it again without fragments.');
      // Some programs end `udta` with four zeros.
      if (to - at < 8 && depth > 0) return;
      const head = await viewOf(file, at, Math.min(to, at + 16));
      const type = textOf(head, 4);
      const short = head.getUint32(0);
      const size = short === 1 ? Number(head.getBigUint64(8)) : short === 0 ? to - at : short;
      const body = at + (short === 1 ? 16 : 8);
      if (short === 0 && depth > 0) return;
      if (at + size > to || at + size < body) throw damagedVideo();
      if (type === 'moov' && size > MAX_INDEX_BYTES) throw tooManySamples();
      if (type === 'moov') isIndexed = true;
      if (type === 'trak' && ++tracks > MAX_TRACKS) throw damagedVideo();
      await readers[type]?.(body, at + size);
      if (CONTAINERS.has(type)) await walk({ from: body, to: at + size, depth: depth + 1 });
      at += size;
    }
  }

  try {
    await walk({ from: 0, to: file.size, depth: 0 });
  } catch (error) {
    throw error instanceof RangeError ? damagedVideo(error) : error;
  }
  if (!isIndexed) throw damagedVideo();
  return made;
}

async function viewOf(file: VideoReader, from: number, to: number): Promise<DataView> {
  return new DataView((await file.read(from, to)).buffer);
}

const textOf = (view: DataView, at: number) => String.fromCharCode(...new Uint8Array(view.buffer, at, 4));
