import { type FileHandle, open } from 'node:fs/promises';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import type { ImageBytes } from './bytes.ts';
import { DamagedImageError } from './errors.ts';
import { planGif } from './gif/strip.ts';
import { planAvif } from './heif/avif.ts';
import { planJpeg } from './jpeg/strip.ts';
import { type KeptRights, type Piece, pieceLength, planLength, type StripPlan } from './metadata/plan.ts';
import { planPng } from './png/strip.ts';
import type { ByteSink, WebFormat } from './types.ts';
import { planWebp } from './webp/strip.ts';

const PLANNERS: Record<WebFormat, (file: ImageBytes, rights: KeptRights) => Promise<StripPlan>> = {
  jpeg: (file, rights) => planJpeg(file, rights),
  png: planPng,
  gif: planGif,
  webp: planWebp,
  avif: planAvif,
};

type Pieces = Pick<StripPlan, 'pieces'>;

const COPY_BYTES = 256 * 1024;

/**
 * Reads the metadata and plans how to remove it (location, names, serial numbers, texts, thumbnails) without touching pixels, colour profile,
 * orientation or animation. The walk through the whole file also checks its structure: an empty or truncated file, or one of
 * another format, throws `DamagedImageError`.
 * @param rights none by default; written as EXIF and XMP; in an AVIF as EXIF only, where its own has enough room, and in a GIF not at all
 */
export async function planStrip(file: ImageBytes, format: WebFormat, rights: KeptRights = {}): Promise<StripPlan> {
  if (file.size === 0) throw new DamagedImageError('The file is empty.');
  return PLANNERS[format](file, rights);
}

/** Whether the plan keeps every byte, so that the original file can be used. */
export function isUnchanged(plan: StripPlan, size: number): boolean {
  const [piece] = plan.pieces;
  return plan.pieces.length === 1 && piece !== undefined && 'to' in piece && piece.from === 0 && piece.to === size;
}

/** Writes the cleaned file to `sink`, in bounded memory. */
export async function writeStripped({ path, bytes }: FileContent, plan: Pieces, sink: ByteSink): Promise<void> {
  if (bytes) return writeFromMemory(bytes, plan, sink);
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, planLength(plan)));
    for (const piece of plan.pieces) await writePiece(handle, piece, buffer, sink);
  } finally {
    await handle.close();
  }
}

async function writeFromMemory(bytes: Uint8Array, { pieces }: Pieces, sink: ByteSink): Promise<void> {
  for (const piece of pieces) {
    if ('bytes' in piece) await sink.write(piece.bytes);
    else if ('zeros' in piece) await sink.write(Buffer.alloc(piece.zeros));
    else await sink.write(bytes.subarray(piece.from, piece.to));
  }
}

async function writePiece(handle: FileHandle, piece: Piece, buffer: Buffer, sink: ByteSink): Promise<void> {
  if ('bytes' in piece) return sink.write(piece.bytes);
  const length = pieceLength(piece);
  if ('zeros' in piece) buffer.fill(0);
  for (let done = 0; done < length; ) {
    let part = Math.min(buffer.length, length - done);
    if ('from' in piece) {
      const { bytesRead } = await handle.read(buffer, 0, part, piece.from + done);
      if (bytesRead === 0) throw new DamagedImageError();
      part = bytesRead;
    }
    await sink.write(buffer.subarray(0, part));
    done += part;
  }
}
