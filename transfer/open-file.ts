import { Buffer } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { constants, type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/**
 * A regular file that was opened once. It is only read through its descriptor, so what is sent is what was checked, whatever becomes of its name
 * meanwhile, also when sending is repeated.
 */
export interface OpenFile {
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, as in `mtimeMs`. */
  readonly modified: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The message continues after the file's name. There is something else than a regular file, such as a folder, a pipe, or a link that isn't followed. */
export class NotAFile extends Error {
  override name = 'NotAFile';
  constructor(options?: ErrorOptions) {
    super('isn’t a regular file', options);
  }
}

/** The message continues after the file's name. The file is outside of the folders in which it may be. */
export class OutsideFolders extends Error {
  override name = 'OutsideFolders';
  constructor() {
    super('leads out of the folder');
  }
}

/** A pipe that has taken a file's place must not block. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** From macOS's fcntl.h, which Node doesn't list: no part of the path may be a link. */
const O_NOFOLLOW_ANY = 0x20000000;
const READ_WITHOUT_LINKS = READ | (constants.O_NOFOLLOW ?? 0) | (process.platform === 'darwin' ? O_NOFOLLOW_ANY : 0);

/** Where the system doesn't say where an open file is: one look in a thousand is deceived by a folder that changes all the time. */
const LOOKS = 16;

/** Opens a file that the user has named: links are followed. @throws NotAFile, or the system's error */
export async function openFile(path: string | Buffer): Promise<OpenFile> {
  // Opening something else can have effects.
  if (!(await stat(path)).isFile()) throw new NotAFile();
  return described(await open(path, READ));
}

/**
 * Opens a file that must be in one of these folders, whoever else may change what is in them: links between the folders and the file may not
 * lead out, and the file itself may not be one.
 * - Linux: the system says where the open file is.
 * - macOS: the open fails if any part of the path is a link.
 * - Windows: the open file is compared with the one that is at its real path afterwards, many times: a folder would have to be exchanged for a
 *   link and back in all the right moments, and one that holds an open file can't be.
 *
 * @param folders their real paths
 * @throws NotAFile, OutsideFolders, or the system's error
 */
export async function openInside(path: string | Buffer, folders: readonly string[], platform = process.platform): Promise<OpenFile> {
  const place = await realPlace(path);
  requireInside(place, folders);
  if (!(await lstat(place)).isFile()) throw new NotAFile();
  const handle = await open(place, READ_WITHOUT_LINKS).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? new NotAFile({ cause: error }) : error;
  });
  try {
    requireInside(await placeOf(handle, place, platform), folders);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return described(handle);
}

async function described(handle: FileHandle): Promise<OpenFile> {
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new NotAFile();
    return { handle, size: found.size, modified: found.mtimeMs, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Follows the links in a path, but not the file itself. */
async function realPlace(path: string | Buffer): Promise<Buffer> {
  // Only Linux has names that aren't valid UTF-8.
  if (typeof path === 'string' || process.platform !== 'linux') {
    const text = path.toString();
    return Buffer.from(join(await realpath(dirname(text)), basename(text)));
  }
  const slash = path.lastIndexOf('/');
  const folder = await realpath(path.subarray(0, Math.max(slash, 1)), { encoding: 'buffer' });
  return Buffer.concat([folder, path.subarray(slash)]);
}

/** The real path of an open file. */
async function placeOf(handle: FileHandle, place: Buffer, platform: NodeJS.Platform): Promise<Buffer> {
  if (platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' });
  const own = await handle.stat({ bigint: true });
  for (let look = 0; look < LOOKS; look++) {
    const there = await lstat(place, { bigint: true });
    if (!isSame(own, there) || !(await realPlace(place)).equals(place)) throw new OutsideFolders();
  }
  return place;
}

/** Of an open file, Windows may give fewer digits of the volume's number than of a path. */
const isSame = (one: BigIntStats, other: BigIntStats) =>
  one.ino === other.ino && BigInt.asUintN(32, one.dev) === BigInt.asUintN(32, other.dev);

function requireInside(place: Buffer, folders: readonly string[]) {
  const isInside = folders.some((folder) => place.indexOf(folder.endsWith(sep) ? folder : folder + sep) === 0);
  if (!isInside) throw new OutsideFolders();
}
