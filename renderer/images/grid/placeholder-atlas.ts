import { decodeThumbHash } from './thumb-hash.ts';

/** Placeholders are at most this wide and high: they have no finer detail. */
const CELL = 16;
const COLUMNS = 10;
/** Atlases kept in memory, for 100 images each: 100 KB of pixels. */
const MAX_ATLASES = 40;

type Hashes = readonly (string | null)[];

/** A rectangle of a canvas. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

interface Atlas {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D | null;
  /** Size of the placeholder in each cell, once it is decoded. */
  sizes: (Size | undefined)[];
}

/** The decoded placeholders of pages of images: one canvas for each page, since a canvas for each image would cost more than drawing it. */
export function createAtlases() {
  const known = new Map<Hashes, Atlas>();

  function atlasOf(hashes: Hashes): Atlas {
    const atlas = known.get(hashes) ?? createAtlas(hashes.length);
    known.delete(hashes);
    known.set(hashes, atlas);
    for (const [oldest] of known) {
      if (known.size <= MAX_ATLASES) break;
      known.delete(oldest);
    }
    return atlas;
  }

  /** Decodes a placeholder, which happens once while its atlas is kept. */
  function decode(hashes: Hashes, index: number): { atlas: Atlas; size: Size } | undefined {
    const hash = hashes[index];
    if (!hash) return undefined;
    const atlas = atlasOf(hashes);
    const size = atlas.sizes[index] ?? decodeInto(atlas, index, hash);
    return { atlas, size };
  }

  return {
    decode,
    /** Draws a placeholder, cropped as its image will be. Does nothing without one. */
    draw(context: CanvasRenderingContext2D, hashes: Hashes, index: number, { x, y, width, height }: Area) {
      const decoded = decode(hashes, index);
      if (!decoded) return;
      const { atlas, size } = decoded;
      const scale = Math.max(width / size.width, height / size.height);
      const [w, h] = [Math.min(size.width, width / scale), Math.min(size.height, height / scale)];
      const cell = cellOf(index);
      // Half a pixel from the edges, so that no neighbour shines through.
      const left = cell.x + (size.width - w) / 2 + 0.5;
      const top = cell.y + (size.height - h) / 2 + 0.5;
      context.drawImage(atlas.canvas, left, top, Math.max(1, w - 1), Math.max(1, h - 1), x, y, width, height);
    },
  };
}

export type Atlases = ReturnType<typeof createAtlases>;

function createAtlas(count: number): Atlas {
  const canvas = document.createElement('canvas');
  canvas.width = CELL * COLUMNS;
  canvas.height = CELL * Math.ceil(count / COLUMNS);
  return { canvas, context: canvas.getContext('2d'), sizes: [] };
}

function decodeInto(atlas: Atlas, index: number, hash: string): Size {
  const bytes = Uint8Array.from(atob(hash), (char) => char.charCodeAt(0));
  const { width, height, data } = decodeThumbHash(bytes, CELL);
  const { x, y } = cellOf(index);
  atlas.context?.putImageData(new ImageData(data, width, height), x, y);
  atlas.sizes[index] = { width, height };
  return { width, height };
}

const cellOf = (index: number) => ({ x: (index % COLUMNS) * CELL, y: Math.floor(index / COLUMNS) * CELL });
