import { pick, type Random } from '#test/helpers/random.ts';
import { SECRET, webpChunk } from './private-metadata.ts';

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The fixed part of a frame. */
const FRAME_HEADER = 16;

/**
 * Writes the chunks of a WebP again: with others in any place, also within frames, with metadata in front of the pixels or twice, with the colour
 * profile at the end, or in the simple format.
 */
export function reorderWebp(base: Buffer, random: Random): { file: Buffer; what: string } {
  let chunks = chunksOf(base.subarray(12)).map((chunk) => (chunk.type === 'ANMF' && random(2) === 0 ? withMore(chunk, random) : chunk));
  const oddity = pick(random, ['none', 'none', 'none', 'none', 'late profile', 'no header', 'late header'] as const);
  if (oddity === 'late profile')
    chunks = [...chunks.filter(({ type }) => type !== 'ICCP'), ...chunks.filter(({ type }) => type === 'ICCP')];
  if (oddity === 'no header') chunks = chunks.filter(({ type }) => type !== 'VP8X');
  if (oddity === 'late header') chunks = [...chunks.slice(1, 2), ...chunks.slice(0, 1), ...chunks.slice(2)];
  for (let count = random(4); count > 0; count--) {
    const at = random(chunks.length + 1);
    chunks = [...chunks.slice(0, at), extra(random), ...chunks.slice(at)];
  }
  return { file: riff(chunks), what: `${oddity}: ${chunks.map(({ type }) => type).join(' ')}` };
}

function riff(chunks: readonly Chunk[]): Buffer {
  const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), ...chunks.map(({ type, data }) => webpChunk(type, data))]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

function chunksOf(part: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= part.length; ) {
    const end = at + 8 + part.readUInt32LE(at + 4);
    chunks.push({ type: part.toString('latin1', at, at + 4), data: part.subarray(at + 8, end) });
    at = end + (end % 2);
  }
  return chunks;
}

function extra(random: Random): Chunk {
  const type = pick(random, random(6) === 0 ? ['ICCP', 'ALPH'] : ['EXIF', 'XMP ', 'prVt']);
  return { type, data: Buffer.from(SECRET + 'x'.repeat(random(2))) };
}

function withMore({ type, data }: Chunk, random: Random): Chunk {
  const inner = chunksOf(data.subarray(FRAME_HEADER));
  const at = random(inner.length + 1);
  const all = [...inner.slice(0, at), extra(random), ...inner.slice(at)];
  return { type, data: Buffer.concat([data.subarray(0, FRAME_HEADER), ...all.map((chunk) => webpChunk(chunk.type, chunk.data))]) };
}
