import { damagedVideo } from '../../errors.ts';
import type { Files } from '../files.ts';

const BLOCK_BYTES = 512 * 1024;
/** Video and sound are read at places of their own, and what describes them at others. */
const MAX_BLOCKS = 8;

/** Random access to a video, through a few blocks of it. */
export interface VideoReader {
  readonly size: number;
  /** @throws DamagedImageError for bytes that the file doesn't have */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

export function createReader(files: Pick<Files, 'read'>, size: number): VideoReader {
  const blocks = new Map<number, Uint8Array<ArrayBuffer>>();

  async function blockAt(number: number): Promise<Uint8Array<ArrayBuffer>> {
    const known = blocks.get(number) ?? (await files.read(number * BLOCK_BYTES, BLOCK_BYTES));
    // The one that was used last comes last.
    blocks.delete(number);
    blocks.set(number, known);
    const [oldest] = blocks.keys();
    if (blocks.size > MAX_BLOCKS && oldest !== undefined) blocks.delete(oldest);
    return known;
  }

  return {
    size,
    async read(from, to) {
      if (from < 0 || to > size) throw damagedVideo();
      const bytes = new Uint8Array(to - from);
      for (let at = from; at < to; ) {
        const number = Math.floor(at / BLOCK_BYTES);
        const start = at - number * BLOCK_BYTES;
        const part = (await blockAt(number)).subarray(start, start + to - at);
        if (part.length === 0) throw damagedVideo();
        bytes.set(part, at - from);
        at += part.length;
      }
      return bytes;
    },
  };
}
