import { open } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { PictureBytes } from '../pictures/bytes.ts';
import { DEFAULT_PICTURE_LIMITS } from '../pictures/limits.ts';
import { probe } from '../pictures/probe.ts';
import { SNIFF_BYTES, sniff } from '../pictures/sniff.ts';
import { isUnchanged, planStrip, writeStripped } from '../pictures/strip.ts';
import { takenAtFrom } from '../pictures/taken-at.ts';
import type { SniffedFormat, WebFormat } from '../pictures/types.ts';
import type { PolicyRow } from '../policies/policies.ts';
import type { StagedFile, Staging } from '../storage/staging.ts';
import { requireAllowed } from './formats.ts';

/** A picture as it will be stored. */
export interface PreparedPicture {
  file: StagedFile;
  format: WebFormat;
  /** Size in pixels as people see it. */
  width: number;
  height: number;
  /** When it was taken, by its EXIF data. */
  takenAt: Date | undefined;
}

type Tools = Pick<Context, 'staging' | 'decoding'>;

/**
 * Checks a received file and makes of it what the storage policy wants; further files that this takes in `tmp/` are
 * removed when `use` is done.
 * @throws PictureError or RequestError when the picture cannot be accepted
 */
export async function withPrepared<T>(
  tools: Tools,
  file: StagedFile,
  policy: PolicyRow,
  allowed: readonly string[],
  use: (picture: PreparedPicture) => Promise<T>,
): Promise<T> {
  const format = requireAllowed(await sniffFile(file.path), allowed) as WebFormat;
  const { width, height } = await tools.decoding(() => probe(file.path, format, DEFAULT_PICTURE_LIMITS));
  return withStripped(tools.staging, file, format, policy.keep_metadata === 1, (stripped, takenAt) =>
    use({ file: stripped, format, width, height, takenAt }),
  );
}

/** Removes metadata without touching pixels; a file that has none is taken as it lies. */
async function withStripped<T>(
  staging: Staging,
  file: StagedFile,
  format: WebFormat,
  keepMetadata: boolean,
  use: (file: StagedFile, takenAt: Date | undefined) => Promise<T>,
): Promise<T> {
  const plan = await planStrip(file.path, format);
  const takenAt = await PictureBytes.using(file.path, (bytes) => takenAtFrom(bytes, plan.exif));
  if (keepMetadata || isUnchanged(plan, file.size)) return use(file, takenAt);
  const writer = await staging.create();
  try {
    await writeStripped(file.path, plan, writer);
    return await use(await writer.finish(), takenAt);
  } finally {
    await writer.discard();
  }
}

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
