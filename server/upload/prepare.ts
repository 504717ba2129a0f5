import { open } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { DEFAULT_PICTURE_LIMITS } from '../pictures/limits.ts';
import { probe } from '../pictures/probe.ts';
import { sniff } from '../pictures/sniff.ts';
import type { SniffedFormat, WebFormat } from '../pictures/types.ts';
import type { PolicyRow } from '../policies/policies.ts';
import type { StagedFile } from '../storage/staging.ts';
import { requireAllowed } from './formats.ts';

/** A picture as it will be stored. */
export interface PreparedPicture {
  file: StagedFile;
  format: WebFormat;
  width: number;
  height: number;
  /** When it was taken, by its EXIF data. */
  takenAt: Date | undefined;
}

const SNIFF_BYTES = 4096;

/** What the bytes of a file are; undefined when they are no known picture. */
async function sniffFile(path: string): Promise<SniffedFormat | undefined> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return sniff(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Interim: checks the picture and passes it through. */
export async function withPrepared<T>(
  context: Context,
  file: StagedFile,
  _policy: PolicyRow,
  allowed: readonly string[],
  use: (picture: PreparedPicture) => Promise<T>,
): Promise<T> {
  const format = requireAllowed(await sniffFile(file.path), allowed);
  const seen = await context.decoding(() => probe(file.path, format as WebFormat, DEFAULT_PICTURE_LIMITS));
  return use({ file, format: format as WebFormat, width: seen.width, height: seen.height, takenAt: undefined });
}
