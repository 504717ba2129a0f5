import { addAbortSignal, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { ZipFile } from 'yazl';

/** One file of a zip. */
export interface ZipEntry {
  /** The path in the zip; must be safe and unique. */
  name: string;
  modified: Date;
  bytes: Readable;
}

/**
 * Streams a zip: one open file at a time, nothing compressed, since pictures already are. An error in the middle closes the
 * connection, so that an incomplete zip can't be mistaken for a complete one.
 * @param entries each is asked for when it is its turn, which may be hours after the first
 */
export async function sendZip(response: Response, fileName: string, entries: AsyncIterable<ZipEntry>, log: Logger): Promise<void> {
  const zip = new ZipFile();
  response.setHeader('Content-Type', 'application/zip');
  response.setHeader('Content-Disposition', contentDisposition(fileName));
  if (response.req.method === 'HEAD') return void response.end();
  // Rejects as soon as the client disconnects, whichever entry is being sent.
  const sent = pipeline(zip.outputStream as Readable, response);
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    await Promise.race([sent, addAll(zip, entries, left.signal)]);
    await sent;
  } catch (error) {
    if (!response.closed) log.error({ err: error }, 'a zip could not be finished');
    await sent.catch(() => undefined); // the same error, or a consequence of it
    response.destroy();
  }
}

/** @param left aborts when the client disconnects, which closes the open file */
async function addAll(zip: ZipFile, entries: AsyncIterable<ZipEntry>, left: AbortSignal) {
  try {
    for await (const { name, modified, bytes } of entries) {
      zip.addReadStream(addAbortSignal(left, bytes), name, { compress: false, mtime: modified });
      await finished(bytes);
    }
    zip.end();
  } catch (error) {
    (zip.outputStream as Readable).destroy(error as Error);
    throw error;
  }
}

/** Names that Windows reserves for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed on purpose
const UNSAFE = /[\u0000-\u001f\u007f<>:"/\\|?*]/g;

/** An image's file name that every system can unpack, without its extension: no folders, devices or hidden files. */
export function safeBaseName(name: string): string {
  const base = name
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(UNSAFE, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 100)
    .toWellFormed()
    .trim();
  return !base || DEVICE.test(base) ? `picture${base && ` ${base}`}` : base;
}

/** Makes names unique, ignoring case: the second one becomes “name (2)”. */
export function createUniqueNames(): (base: string, ext: string) => string {
  const taken = new Set<string>();
  /** The number to try next: counting from 1 each time would take forever with thousands of equal names. */
  const next = new Map<string, number>();
  return (base, ext) => {
    const first = `${base}.${ext}`.toLowerCase();
    for (let number = next.get(first) ?? 1; ; number++) {
      const name = number === 1 ? `${base}.${ext}` : `${base} (${number}).${ext}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      next.set(first, number + 1);
      return name;
    }
  };
}
