import { damagedVideo, ImageTooLargeError } from '../../errors.ts';
import type { VideoReader } from './reader.ts';

/** Identifiers of EBML elements (RFC 8794 and 9559). */
export const EBML = {
  head: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
} as const;

const CLUSTER_LEVEL: ReadonlySet<number> = new Set([
  0x1f43b675, 0x1c53bb6b, 0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1043a770, 0x1941a469, 0x1254c367,
]);

const MAX_ELEMENTS = 5_000_000;
/** Of everything that isn't a cluster. */
const MAX_INFO_BYTES = 96 * 1024 * 1024;

export interface Element {
  id: number;
  body: number;
  /** Undefined: it ends where something begins that can't be inside it. */
  to: number | undefined;
}

/** The element at a place. @throws DamagedImageError */
export async function elementAt(file: VideoReader, at: number): Promise<Element> {
  const head = await file.read(at, Math.min(at + 12, file.size));
  const idLength = lengthOf(head[0], 4);
  const sizeLength = lengthOf(head[idLength], 8);
  if (head.length < idLength + sizeLength) throw damagedVideo();
  let id = 0;
  for (let i = 0; i < idLength; i++) id = id * 256 + (head[i] as number);
  let size = (head[idLength] as number) & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let i = 1; i < sizeLength; i++) {
    const byte = head[idLength + i] as number;
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const body = at + idLength + sizeLength;
  return { id, body, to: isUnknown ? undefined : body + size };
}

/** Bytes of a number whose first byte says how many it has. */
function lengthOf(first: number | undefined, max: number): number {
  const length = Math.clz32(first ?? 0) - 23;
  if (length > max) throw damagedVideo();
  return length;
}

/**
 * Checks the elements of a WebM before anything else reads them: that each is inside the one around it, that none ends after the file, and how many there are.
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function checkWebm(file: VideoReader): Promise<void> {
  let elements = 0;
  const next = async (at: number, limit: number) => {
    if (++elements > MAX_ELEMENTS) throw new ImageTooLargeError('The video has too many parts. Save it again.');
    const element = await elementAt(file, at);
    if ((element.to ?? element.body) > limit) throw damagedVideo();
    return element;
  };

  const head = await next(0, file.size);
  if (head.id !== EBML.head || head.to === undefined) throw damagedVideo();
  const segment = await next(head.to, file.size);
  if (segment.id !== EBML.segment) throw damagedVideo();
  const end = segment.to ?? file.size;
  let info = 0;
  let clusters = 0;
  for (let at = segment.body; at < end; ) {
    const element = await next(at, end);
    if (element.id === EBML.cluster) clusters++;
    else info += (element.to ?? end) - at;
    if (info > MAX_INFO_BYTES) throw new ImageTooLargeError('The video’s index is too large. Save it again.');
    if (element.to === undefined && element.id !== EBML.cluster) throw damagedVideo();
    at = element.to ?? (await endOfCluster(element.body));
  }
  if (clusters === 0) throw damagedVideo();

  /** A recorder doesn't know the length of a cluster when it begins it. */
  async function endOfCluster(from: number): Promise<number> {
    let at = from;
    while (at < end) {
      const element = await next(at, end);
      if (CLUSTER_LEVEL.has(element.id)) return at;
      if (element.to === undefined) throw damagedVideo();
      at = element.to;
    }
    return at;
  }
}
