import type { SharpOptions } from 'sharp';
import { DamagedImageError, ImageError, ImageTooLargeError } from './errors.ts';
import type { ImageLimits } from './types.ts';

/**
 * How every picture is opened. `error` fails on cut-off files and on what decoders call errors, but not on warnings:
 * cameras write files full of those.
 */
export function sharpInput(limits: ImageLimits): SharpOptions {
  return { failOn: 'error', limitInputPixels: limits.totalPixels, sequentialRead: true };
}

/** Runs a decoding and names what may be wrong with the picture. Errors of the machine (no memory, disk full) stay what they are. */
export async function withDecodeErrors<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ImageError || 'syscall' in error) return error;
  if (/timeout/i.test(error.message))
    return new ImageTooLargeError('The picture takes too long to decode. Make it smaller and retry.', { cause: error });
  if (/exceeds pixel limit|dimensions? exceed|too many pixels/i.test(error.message)) {
    return new ImageTooLargeError('The picture has too many pixels. Make it smaller and retry.', { cause: error });
  }
  if (/no space left/i.test(error.message)) return Object.assign(error, { code: 'ENOSPC' }); // as errors of the file system say it
  // What follows from a damaged picture may end in “unable to write”; faults of the machine also name what the system has said.
  if (/out of memory|file is missing|unable to open|(system|windows) error:/i.test(error.message)) return error;
  return new DamagedImageError(undefined, { cause: error });
}
