import type { ImageBytes } from '../bytes.ts';
import type { Size } from '../types.ts';
import { colourTableLength, GIF_EXTENSION, GIF_HEADER_LENGTH, GIF_IMAGE, readDescriptor, skipSubBlocks } from './strip.ts';

/**
 * The canvas size in a GIF's header. libvips uses the size of the frames where the canvas looks improbably large, browsers
 * use the canvas: a file may be small for one and a bomb for the other.
 */
export async function readGifCanvas(file: ImageBytes): Promise<Size> {
  const header = await file.at(0, 10);
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}

/** The place of a GIF's first frame on its canvas; undefined without one. */
export async function readGifFrame(file: ImageBytes): Promise<(Size & { left: number; top: number }) | undefined> {
  const kindAt = async (at: number) => (await file.at(at, 1)).readUInt8();
  let at = GIF_HEADER_LENGTH + colourTableLength((await file.at(0, GIF_HEADER_LENGTH)).readUInt8(10));
  while ((await kindAt(at)) === GIF_EXTENSION) at = await skipSubBlocks(file, at + 2);
  if ((await kindAt(at)) !== GIF_IMAGE) return undefined;
  const { left, top, width, height } = await readDescriptor(file, at);
  return { left, top, width, height };
}
