import { hasTrait } from '#api/formats.ts';
import { readForeignMetadata } from '#server/platform/imaging/inspect.ts';
import type { Metadata } from '#server/platform/imaging/metadata/exif.ts';
import { planStrip } from '#server/platform/imaging/metadata/strip.ts';
import type { SniffedFormat, VideoFormat } from '#server/platform/imaging/types.ts';
import { usingBytes } from './using-bytes.ts';

/** The metadata of a picture as an upload reads them, its own rights included. */
export function metadataOf(path: string, format: Exclude<SniffedFormat, 'svg' | VideoFormat>): Promise<Metadata> {
  return usingBytes<Metadata>(path, (bytes) => {
    return hasTrait(format, 'shown') ? planStrip(bytes, format, 'own') : readForeignMetadata(bytes, format, true);
  });
}
