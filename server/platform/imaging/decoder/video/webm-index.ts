import { damagedVideo } from '../../errors.ts';
import { EBML, elementAt } from './check-webm.ts';
import type { VideoReader } from './reader.ts';

type Write = (bytes: Uint8Array, at: number) => Promise<void>;
/** Writes a WebM with its index at the end; the same bytes each time. @param onCluster called with the place of each cluster */
export type WriteWebm = (write: Write, onCluster: (from: number, to: number) => void) => Promise<void>;

/** What is kept of the beginning, which describes the tracks, and of the end, which has the index. */
const KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Writes a WebM with its index in front of its clusters, where players find it at once. The size of the index is known only once all clusters are: what
 * writes them runs twice, the first time for its beginning and its end alone.
 */
export async function writeIndexFirst(writeWebm: WriteWebm, write: Write): Promise<void> {
  const kept: { at: number; bytes: Uint8Array }[] = [];
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  let size = 0;
  const keep: Write = async (bytes, at) => {
    size = Math.max(size, at + bytes.length);
    kept.push({ at, bytes: new Uint8Array(bytes) });
    // What is neither near the beginning nor near the end.
    const gone = kept.findIndex((part) => part.at > KEPT_BYTES && part.at + part.bytes.length < size - KEPT_BYTES);
    if (gone >= 0) kept.splice(gone, 1);
  };
  await writeWebm(keep, (from, to) => {
    first = Math.min(first, from);
    last = Math.max(last, to);
  });
  const partOf = (from: number, to: number) => {
    const part = new Uint8Array(to - from);
    for (const { at, bytes } of kept) {
      const start = Math.max(from, at);
      const end = Math.min(to, at + bytes.length);
      if (start < end) part.set(bytes.subarray(start - at, end - at), start - from);
    }
    return part;
  };
  const head = partOf(0, first);
  if (first > KEPT_BYTES || size - last > KEPT_BYTES) throw damagedVideo();
  const index = indexOf(await pointsIn(partOf(last, size)));
  await write(await headWith(head, index.length - (size - last)), 0);
  await write(index, first);
  await writeWebm(
    async (bytes, at) => {
      const [from, to] = [Math.max(at, first), Math.min(at + bytes.length, last)];
      if (from < to) await write(bytes.subarray(from - at, to - at), from + index.length);
    },
    () => undefined,
  );
}

interface Point {
  time: number;
  tracks: { track: number; cluster: number }[];
}

const ID = { point: 0xbb, time: 0xb3, positions: 0xb7, track: 0xf7, cluster: 0xf1 } as const;

/** The elements inside another one. */
async function* childrenOf(file: VideoReader, from: number, to: number) {
  for (let at = from; at < to; ) {
    const { id, body, to: end } = await elementAt(file, at);
    if (end === undefined || end > to) throw damagedVideo();
    yield { id, body, to: end };
    at = end;
  }
}

const readerOf = (bytes: Uint8Array<ArrayBuffer>): VideoReader => ({ size: bytes.length, read: async (from, to) => bytes.slice(from, to) });

/** What an index says. */
async function pointsIn(bytes: Uint8Array<ArrayBuffer>): Promise<Point[]> {
  const file = readerOf(bytes);
  const numberIn = (from: number, to: number) => bytes.subarray(from, to).reduce((sum, byte) => sum * 256 + byte, 0);
  const points: Point[] = [];
  for await (const cues of childrenOf(file, 0, file.size))
    for await (const point of childrenOf(file, cues.body, cues.to)) {
      const found: Point = { time: 0, tracks: [] };
      for await (const part of childrenOf(file, point.body, point.to)) {
        if (part.id === ID.time) found.time = numberIn(part.body, part.to);
        if (part.id !== ID.positions) continue;
        const place = { track: 0, cluster: 0 };
        for await (const { id, body, to } of childrenOf(file, part.body, part.to)) {
          if (id === ID.track) place.track = numberIn(body, to);
          if (id === ID.cluster) place.cluster = numberIn(body, to);
        }
        found.tracks.push(place);
      }
      points.push(found);
    }
  return points;
}

const HEAD_LENGTH = 12;
const TIME_LENGTH = 10;
/** Of the place of one track, with and without its own head. */
const [TRACK_LENGTH, PLACE_LENGTH] = [15, 13];

/** The index in front of the clusters, whose places it has moved by its own length. Its numbers have fixed lengths. */
function indexOf(points: readonly Point[]): Buffer<ArrayBuffer> {
  const lengths = points.map(({ tracks }) => TIME_LENGTH + tracks.length * TRACK_LENGTH);
  const index = Buffer.alloc(HEAD_LENGTH + lengths.reduce((sum, length) => sum + 2 + length, 0));
  let at = index.writeUInt32BE(EBML.cues);
  const eight = (value: number) => {
    at = index.writeBigUInt64BE(BigInt(value), at);
  };
  const bytes = (...values: number[]) => {
    for (const value of values) at = index.writeUInt8(value, at);
  };
  // A length of eight bytes begins with a 1, one of a byte has its highest bit set.
  eight(index.length - HEAD_LENGTH);
  index[4] = 1;
  for (const [number, { time, tracks }] of points.entries()) {
    bytes(ID.point, 0x80 | (lengths[number] as number), ID.time, 0x88);
    eight(time);
    for (const { track, cluster } of tracks) {
      bytes(ID.positions, 0x80 | PLACE_LENGTH, ID.track, 0x81, track, ID.cluster, 0x88);
      eight(cluster + index.length);
    }
  }
  return index;
}

const SEEK_INDEX = Buffer.from([0x1c, 0x53, 0xbb, 0x6b, 0x53, 0xac, 0x85]);
const SEEK_BYTES = 5;

/** The programs that have written a file and its tracks, which the format requires. Zeros end a name. */
const APPS: ReadonlySet<number> = new Set([0x4d80, 0x5741]);
const APP = 'Pixdock';

/** The beginning of a WebM whose index follows it, and whose length differs. */
async function headWith(head: Uint8Array<ArrayBuffer>, difference: number): Promise<Buffer> {
  const bytes = Buffer.from(head);
  const file = readerOf(head);
  const { to: at = 0 } = await elementAt(file, 0);
  const { id, body, to } = await elementAt(file, at);
  if (id !== EBML.segment || to === undefined) throw damagedVideo();
  const length = body - at - 4;
  for await (const info of childrenOf(file, body, head.length))
    if (info.id === EBML.info)
      for await (const part of childrenOf(file, info.body, info.to))
        if (APPS.has(part.id)) bytes.fill(0, part.body, part.to).write(APP, part.body);
  const marker = 2 ** (7 * length);
  let size = to - body + difference + marker;
  for (let place = body - 1; place > body - 1 - length; place--) {
    bytes[place] = size % 256;
    size = Math.floor(size / 256);
  }
  const seek = bytes.indexOf(SEEK_INDEX);
  if (seek < 0) throw damagedVideo();
  bytes.writeUIntBE(bytes.length - body, seek + SEEK_INDEX.length, SEEK_BYTES);
  return bytes;
}
