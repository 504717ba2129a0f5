import { hasTrait } from '#api/formats.ts';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { readForeignMetadata } from '#server/platform/imaging/inspect.ts';
import type { Metadata } from '#server/platform/imaging/metadata/exif.ts';
import type { KeptRights, StripPlan } from '#server/platform/imaging/metadata/plan.ts';
import { planStrip, writeStripped } from '#server/platform/imaging/plan-strip.ts';
import type { SniffedFormat, VideoFormat } from '#server/platform/imaging/types.ts';

/** Opens a file for one call. */
export async function usingBytes<T>(path: string, use: (file: ImageBytes) => Promise<T>): Promise<T> {
  await using file = await ImageBytes.open(path);
  return await use(file);
}

/** A complete JPEG without its metadata, and the plan for that. @throws DamagedImageError */
export async function strippedJpeg(file: Buffer, rights?: KeptRights): Promise<{ plan: StripPlan; stored: Buffer }> {
  await using bytes = await ImageBytes.open(file);
  const plan = await planStrip(bytes, 'jpeg', rights);
  const parts: Buffer[] = [];
  await writeStripped({ path: '', bytes: file }, plan, { write: async (part) => void parts.push(Buffer.from(part)) });
  return { plan, stored: Buffer.concat(parts) };
}

/** The metadata of a picture as an upload reads them, its own rights included. */
export function metadataOf(path: string, format: Exclude<SniffedFormat, 'svg' | VideoFormat>): Promise<Metadata> {
  return usingBytes<Metadata>(path, (bytes) => {
    return hasTrait(format, 'shown') ? planStrip(bytes, format, 'own') : readForeignMetadata(bytes, format, true);
  });
}
