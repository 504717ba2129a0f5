import type { ImageBytes } from '../bytes.ts';
import type { HeifMeta } from './meta.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * All sizes that a HEIF file declares: those of its pictures and tiles (`ispe`), and those of the canvases for tiles
 * (`grid`) or overlays (`iovl`). The largest determines the cost of decoding.
 */
export async function declaredSizes(file: ImageBytes, meta: HeifMeta): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const { type, body, to } of meta.properties) {
    if (type !== 'ispe' || to - body < 12) continue;
    const box = await file.at(body, 12);
    sizes.push({ width: box.readUInt32BE(4), height: box.readUInt32BE(8) });
  }
  for (const item of meta.items) {
    const [extent] = meta.extents.get(item.id) ?? [];
    // After version and flags: rows and columns of a grid, the background colour of an overlay.
    const before = item.type === 'grid' ? 4 : item.type === 'iovl' ? 10 : undefined;
    if (!extent || before === undefined) continue;
    const isWide = ((await file.at(extent.from, 2)).readUInt8(1) & 1) === 1;
    const size = await file.at(extent.from + before, isWide ? 8 : 4);
    sizes.push(
      isWide
        ? { width: size.readUInt32BE(0), height: size.readUInt32BE(4) }
        : { width: size.readUInt16BE(0), height: size.readUInt16BE(2) },
    );
  }
  return sizes;
}
