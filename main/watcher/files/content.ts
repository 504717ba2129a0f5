import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { isHeldBy } from '#main/base/files/inside.ts';

/** Bytes read at once. */
const CHUNK_BYTES = 256 * 1024;
/** Zeros at the end of a file that make it look unfinished. */
const HOLLOW_BYTES = 4096;

/** A file's size in bytes and its times in milliseconds since 1970. */
export interface FileState {
  size: number;
  modified: number;
  /** When the entry itself last changed, for example was moved. */
  changed: number;
  /** Its inode number, which stays the same when it is moved. */
  inode: string;
}

/** What a file holds. */
export interface Content {
  /** In hexadecimal. */
  sha256: string;
  size: number;
  /** It ends in zeros, as files do whose space was reserved and that are still being written. */
  hollow: boolean;
}

/** Looks at a file of a folder without following links out of it. @throws the system's error, except for a file that doesn't exist */
export async function stateOf(path: string, root: string): Promise<FileState | 'gone' | 'notFile'> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isFile() || !(await isHeldBy(root, path))) return 'notFile';
    const { size, mtimeNs, ctimeNs, ino } = found;
    return { size: Number(size), modified: toMilliseconds(mtimeNs), changed: toMilliseconds(ctimeNs), inode: String(ino) };
  } catch (error) {
    if (isMissing(error)) return 'gone';
    throw error;
  }
}

/** Reads a file in constant memory. @throws the system's error */
export async function readContent(path: string): Promise<Content> {
  const hash = createHash('sha256');
  let size = 0;
  let zeros = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
    const last = lastNonZero(chunk);
    zeros = last < 0 ? zeros + chunk.length : chunk.length - 1 - last;
  }
  return { sha256: hash.digest('hex'), size, hollow: zeros >= HOLLOW_BYTES };
}

function lastNonZero(chunk: Buffer) {
  let at = chunk.length - 1;
  while (at >= 0 && chunk[at] === 0) at--;
  return at;
}

/** Nanoseconds as Node presents them in `mtimeMs`, to the last bit: versions of a file are compared exactly. */
export function toMilliseconds(nanoseconds: BigIntStats['mtimeNs']): number {
  return Number(nanoseconds / 1_000_000_000n) * 1_000 + Number(nanoseconds % 1_000_000_000n) / 1_000_000;
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
