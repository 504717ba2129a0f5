import type { ByteRange, ImageBytes } from '../bytes.ts';
import { type Box, descend, readBoxes } from './boxes.ts';

/** A table of more bytes belongs to a movie, not to a picture. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;
const MAX_CHUNKS = 50_000;
/** Auxiliary data of samples, which these tables don't cover. */
const UNKNOWN = new Set(['saio', 'saiz', 'stz2']);

/**
 * The ranges in the file of all samples of a movie's tracks (ISO/IEC 14496-12 §8.7), chunk by chunk.
 * @returns undefined where they aren't certain, such as in tracks without a complete table
 */
export async function sampleRanges(file: ImageBytes, movie: Box): Promise<ByteRange[] | undefined> {
  const ranges: ByteRange[] = [];
  const tracks = (await readBoxes(file, movie.body, movie.to)).filter(({ type }) => type === 'trak');
  for (const track of tracks) {
    const table = await descend(file, track, ['mdia', 'minf', 'stbl']);
    const chunks = table && (await chunksOf(file, table));
    if (!chunks || ranges.length + chunks.length > MAX_CHUNKS) return undefined;
    ranges.push(...chunks);
  }
  return ranges.every(({ to }) => to <= file.size) ? ranges : undefined;
}

async function chunksOf(file: ImageBytes, table: Box): Promise<ByteRange[] | undefined> {
  const boxes = await readBoxes(file, table.body, table.to);
  if (boxes.some(({ type }) => UNKNOWN.has(type))) return undefined;
  const content = async (type: string) => {
    const box = boxes.find((child) => child.type === type);
    return box && box.to - box.body <= MAX_TABLE_BYTES ? file.copy({ from: box.body, to: box.to }) : undefined;
  };
  const [sizes, runs, short, long] = [await content('stsz'), await content('stsc'), await content('stco'), await content('co64')];
  const offsets = short ? offsetsIn(short, 4) : long && offsetsIn(long, 8);
  if (!sizes || !runs || !offsets) return undefined;
  const lengthOf = sampleLengths(sizes);
  const samplesIn = samplesPerChunk(runs);
  if (!lengthOf || !samplesIn) return undefined;
  const chunks: ByteRange[] = [];
  let sample = 0;
  for (const [index, from] of offsets.entries()) {
    const count = samplesIn(index + 1);
    const length = count === undefined ? undefined : lengthOf(sample, count);
    if (count === undefined || length === undefined) return undefined;
    chunks.push({ from, to: from + length });
    sample += count;
  }
  return chunks;
}

/** After version, flags and the number of chunks. */
function offsetsIn(box: Buffer, width: 4 | 8): number[] | undefined {
  const count = box.length < 8 ? 0 : box.readUInt32BE(4);
  if (box.length < 8 + count * width || count > MAX_CHUNKS) return undefined;
  return Array.from({ length: count }, (_, i) => (width === 4 ? box.readUInt32BE(8 + 4 * i) : Number(box.readBigUInt64BE(8 + 8 * i))));
}

/** The bytes of a number of samples in a row. They have the same size, or each has its own. */
function sampleLengths(box: Buffer): ((first: number, count: number) => number | undefined) | undefined {
  if (box.length < 12) return undefined;
  const [same, total] = [box.readUInt32BE(4), box.readUInt32BE(8)];
  if (same > 0) return (first, count) => (first + count <= total ? count * same : undefined);
  if (box.length < 12 + 4 * total) return undefined;
  return (first, count) => {
    if (first + count > total) return undefined;
    let sum = 0;
    for (let i = first; i < first + count; i++) sum += box.readUInt32BE(12 + 4 * i);
    return sum;
  };
}

/** Each entry holds the first chunk that it applies to, counted from 1, and the samples in each of its chunks. */
function samplesPerChunk(box: Buffer): ((chunk: number) => number | undefined) | undefined {
  const count = box.length < 8 ? 0 : box.readUInt32BE(4);
  if (count === 0 || box.length < 8 + 12 * count) return undefined;
  let run = -1;
  return (chunk) => {
    while (run + 1 < count && box.readUInt32BE(8 + 12 * (run + 1)) <= chunk) run++;
    return run < 0 ? undefined : box.readUInt32BE(8 + 12 * run + 4);
  };
}
