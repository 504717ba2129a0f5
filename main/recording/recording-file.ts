import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { posterBeside } from '#main/uploader/spool.ts';
import { flushFolder, writeAll, writeDurably } from '#server/platform/files/durable.ts';

/** Bytes that stay free on the disk: the journal needs some, too. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;

/** A recording on the disk: a fragmented MP4, which plays up to its last whole fragment. */
export interface RecordingFile {
  readonly path: string;
  /** Bytes that a power cut can't lose. */
  size(): number;
  /** Appends at a position, which must be the end. Resolves once a power cut can't lose it. @throws Error with the code `ENOSPC` once the disk is nearly full */
  append(position: number, bytes: Uint8Array): Promise<void>;
  /** Keeps the first frame, as JPEG, beside the file. */
  keepPoster(bytes: Uint8Array): Promise<void>;
  /** Cuts off what isn't a whole fragment, and returns the size in bytes; 0: there is nothing to play. */
  end(): Promise<number>;
}

/** Begins a file at an absolute path. */
export async function beginFile(path: string, minFree = MIN_FREE_BYTES): Promise<RecordingFile> {
  const handle = await open(path, 'wx+', 0o600);
  await flushFolder(dirname(path));
  let size = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function append(position: number, bytes: Uint8Array) {
    if (position !== size) throw new Error(`A recording of ${size} bytes can’t continue at ${position}.`);
    await writeAll(handle, bytes, size);
    await handle.datasync();
    size += bytes.byteLength;
    const { bavail, bsize } = await statfs(dirname(path));
    if (bavail * bsize < minFree) throw Object.assign(new Error('The disk is nearly full.'), { code: 'ENOSPC' });
  }

  return {
    path,
    size: () => size,
    append(position, bytes) {
      const appended = last.then(() => append(position, bytes));
      last = appended.catch(() => undefined);
      return appended;
    },
    keepPoster: (bytes) => writeDurably(posterBeside(path), bytes),
    async end() {
      await last;
      try {
        return await cut(handle);
      } finally {
        await handle.close();
      }
    },
  };
}

/** The same for the file of a run that has ended without doing so; 0 also if there is none. */
export async function recover(path: string): Promise<number> {
  const handle = await open(path, 'r+').catch(() => undefined);
  if (!handle) return 0;
  try {
    return await cut(handle);
  } finally {
    await handle.close();
  }
}

/** Removes a recording that isn't wanted. */
export async function removeFile(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(posterBeside(path), { force: true })]);
}

async function cut(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  const whole = await endOfFragments(handle, size);
  if (whole < size) {
    await handle.truncate(whole);
    await handle.sync();
  }
  return whole;
}

/** Where the last fragment ends (ISO 14496-12): a `moof` box followed by its `mdat`, after the header; 0: there is none. */
async function endOfFragments(handle: FileHandle, size: number): Promise<number> {
  const head = Buffer.alloc(16);
  let end = 0;
  let before = '';
  for (let at = 0; at + 8 <= size; ) {
    const { bytesRead } = await handle.read(head, 0, 16, at);
    if (bytesRead < 8) break;
    const type = head.toString('latin1', 4, 8);
    const short = head.readUInt32BE(0);
    const length = short === 1 && bytesRead === 16 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8 || at + length > size) break;
    at += length;
    // The index at the end of a finished file.
    if ((type === 'mdat' && before === 'moof') || (type === 'mfra' && end > 0)) end = at;
    before = type;
  }
  return end;
}
