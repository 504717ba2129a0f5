import { addAbortSignal, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { ZipFile } from 'yazl';
import { fileNameOf } from '#api/file-name.ts';

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

/** Names of files that are unique, ignoring case: the second one becomes “name (2)”. */
export function createUniqueNames(): (name: string, ext: string) => string {
  const taken = new Set<string>();
  /** The number to try next: counting from 1 each time would take forever with thousands of equal names. */
  const next = new Map<string, number>();
  return (name, ext) => {
    const first = fileNameOf(name, ext);
    const key = first.toLowerCase();
    for (let number = next.get(key) ?? 1; ; number++) {
      const unique = number === 1 ? first : fileNameOf(name, ext, ` (${number})`);
      if (taken.has(unique.toLowerCase())) continue;
      taken.add(unique.toLowerCase());
      next.set(key, number + 1);
      return unique;
    }
  };
}
