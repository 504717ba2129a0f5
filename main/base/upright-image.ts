import { type NativeImage, nativeImage } from 'electron';
import { orientationOf } from '#server/platform/imaging/orientation.ts';

/**
 * A picture as it is meant to be seen: Electron ignores how the camera was held (https://github.com/electron/electron/issues/41189). Undefined for
 * formats that it can't decode: it knows PNG and JPEG.
 * @param height of the result at most
 */
export async function uprightImage(bytes: Uint8Array, height?: number): Promise<NativeImage | undefined> {
  const image = nativeImage.createFromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (image.isEmpty()) return undefined;
  const orientation = (await orientationOf(bytes)) ?? 1;
  const side = orientation >= 5 ? 'width' : 'height';
  const drawn = height === undefined || image.getSize()[side] <= height ? image : image.resize({ [side]: height });
  return orientation === 1 ? drawn : turned(drawn, orientation);
}

/** Applies an orientation as EXIF numbers them. */
function turned(image: NativeImage, orientation: number): NativeImage {
  const { width, height } = image.getSize();
  const from = pixelsOf(image.toBitmap());
  const size = orientation >= 5 ? { width: height, height: width } : { width, height };
  const to = new Uint32Array(from.length);
  const last = width * height - 1;
  // Where the first pixel comes from, and how far it is to the one of the next column, and of the next row.
  const [start, column, row] = (
    {
      2: [width - 1, -1, width],
      3: [last, -1, -width],
      4: [last - width + 1, 1, -width],
      5: [0, width, 1],
      6: [last - width + 1, -width, 1],
      7: [last, -width, -1],
      8: [width - 1, width, -1],
    } as Readonly<Record<number, [number, number, number]>>
  )[orientation] ?? [0, 1, width];
  for (let y = 0, at = 0; y < size.height; y += 1)
    for (let x = 0, place = start + y * row; x < size.width; x += 1, at += 1, place += column) to[at] = from[place] ?? 0;
  return nativeImage.createFromBitmap(Buffer.from(to.buffer), size);
}

/** A copy if the bytes don't lie where numbers of four bytes may. */
function pixelsOf(bitmap: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = bitmap.byteOffset % 4 === 0 ? bitmap : new Uint8Array(bitmap);
  return new Uint32Array(buffer, byteOffset, length / 4);
}
