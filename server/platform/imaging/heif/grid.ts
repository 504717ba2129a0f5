import type { ImageBytes } from '../bytes.ts';
import type { Size } from '../types.ts';
import type { Box } from './boxes.ts';
import { type HeifMeta, propertiesOf } from './meta.ts';

/** A step of making a picture upright: a quarter of a circle counter-clockwise, or a reflection. */
type Step = 'turn' | 'left-right' | 'upside-down';

/** A picture that consists of tiles, which can be decoded separately. */
export interface TileGrid extends Size {
  readonly columns: number;
  readonly rows: number;
  readonly tile: Size;
  /** In the order in which they are applied to the whole picture. */
  readonly steps: readonly Step[];
}

interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}

/** Where a tile is once the picture is upright. */
export interface TilePlaces {
  /** Its column and row. */
  readonly cell: { readonly x: number; readonly y: number };
  readonly size: Size;
  /** The part of it that belongs to the picture. */
  readonly visible: Rectangle;
  /** The place of that part in the picture. */
  readonly to: Rectangle;
}

/** Phones write 512 × 512 pixels. Larger ones would take much memory in several threads. */
const MAX_TILE_PIXELS = 1024 * 1024;

/** What libheif applies only to the whole picture. */
const WHOLE_ONLY = new Set(['clap', 'iscl']);
const TRANSFORMING = new Set([...WHOLE_ONLY, 'irot', 'imir']);

/**
 * The grid of the primary picture, as phones write it. Undefined: it has none, or its tiles would, decoded separately, not have the same pixels
 * as the whole: where they aren't of 8 bits with a quarter of the colours, or have colours or transformations of their own.
 */
export async function readGrid(file: ImageBytes, meta: HeifMeta): Promise<TileGrid | undefined> {
  const { primary } = meta;
  const types = new Map(meta.items.map(({ id, type }) => [id, type]));
  if (!meta.isPlain || primary === undefined || types.get(primary) !== 'grid') return undefined;
  const layout = await readLayout(file, meta, primary);
  const [reference, another] = meta.references.filter(({ type, from }) => type === 'dimg' && from === primary);
  if (!layout || !reference || another || reference.to.length !== layout.columns * layout.rows) return undefined;
  const own = propertiesOf(meta, primary);
  const tiles = [...new Set(reference.to)].map((id) => ({ type: types.get(id), properties: propertiesOf(meta, id) }));
  const ofTiles = [...new Set(tiles.flatMap(({ properties }) => properties))];
  if (own.some(({ type }) => WHOLE_ONLY.has(type)) || ofTiles.some(({ type }) => TRANSFORMING.has(type))) return undefined;
  if (tiles.some(({ type, properties }) => type !== 'hvc1' || !hasOne(properties, 'ispe') || !hasOne(properties, 'hvcC'))) return undefined;
  if (!(await hasCodedColours(file, own)) && (await hasCodedColours(file, ofTiles))) return undefined;
  const tile = await readTileSize(file, ofTiles);
  if (!tile || !covers(tile, layout) || !(await areOrdinary(file, ofTiles))) return undefined;
  return { ...layout, tile, steps: await readSteps(file, own) };
}

const hasOne = (properties: readonly Box[], type: string) => properties.filter((box) => box.type === type).length === 1;

/** ISO/IEC 23008-12, 6.6.2.3. */
async function readLayout(file: ImageBytes, meta: HeifMeta, primary: number): Promise<Omit<TileGrid, 'tile' | 'steps'> | undefined> {
  const [extent, another] = meta.extents.get(primary) ?? [];
  if (!extent || another || extent.to - extent.from < 8) return undefined;
  const head = await file.at(extent.from, Math.min(12, extent.to - extent.from));
  const isWide = (head.readUInt8(1) & 1) === 1;
  if (isWide && head.length < 12) return undefined;
  const [width, height] = isWide ? [head.readUInt32BE(4), head.readUInt32BE(8)] : [head.readUInt16BE(4), head.readUInt16BE(6)];
  return { rows: head.readUInt8(2) + 1, columns: head.readUInt8(3) + 1, width, height };
}

/** The size that all tiles have. */
async function readTileSize(file: ImageBytes, properties: readonly Box[]): Promise<Size | undefined> {
  let size: Size | undefined;
  for (const { type, body, to } of properties) {
    if (type !== 'ispe') continue;
    if (to - body < 12) return undefined;
    const box = await file.at(body, 12);
    const [width, height] = [box.readUInt32BE(4), box.readUInt32BE(8)];
    if (size && (size.width !== width || size.height !== height)) return undefined;
    size = { width, height };
  }
  return size;
}

/** Whether no tile is too large, none is outside the picture, and colours, which have half the resolution, begin with a tile. */
function covers(tile: Size, { columns, rows, width, height }: Omit<TileGrid, 'tile' | 'steps'>): boolean {
  const areEven = [tile.width, tile.height, width, height].every((length) => length > 0 && length % 2 === 0);
  const fits = (side: number, count: number, length: number) => side * (count - 1) < length && side * count >= length;
  return areEven && tile.width * tile.height <= MAX_TILE_PIXELS && fits(tile.width, columns, width) && fits(tile.height, rows, height);
}

/** Whether the colours are described by codes, which change how pixels are decoded. */
async function hasCodedColours(file: ImageBytes, properties: readonly Box[]): Promise<boolean> {
  for (const { type, body, to } of properties)
    if (type === 'colr' && to - body >= 4 && (await file.at(body, 4)).toString('latin1') === 'nclx') return true;
  return false;
}

/** Whether pixels have 8 bits, and two by two of them share a colour (ISO/IEC 14496-15, 8.3.3.1.2). */
async function areOrdinary(file: ImageBytes, properties: readonly Box[]): Promise<boolean> {
  for (const { type, body, to } of properties) {
    if (type !== 'hvcC') continue;
    if (to - body < 19) return false;
    const [chroma = 0, luma = 0, colours = 0] = await file.at(body + 16, 3);
    if ((chroma & 3) !== 1 || (luma & 7) !== 0 || (colours & 7) !== 0) return false;
  }
  return true;
}

async function readSteps(file: ImageBytes, properties: readonly Box[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const { type, body, to } of properties) {
    if ((type !== 'irot' && type !== 'imir') || to - body < 1) continue;
    const value = (await file.at(body, 1)).readUInt8();
    if (type === 'irot') steps.push(...new Array<Step>(value & 3).fill('turn'));
    else steps.push((value & 1) === 1 ? 'left-right' : 'upside-down');
  }
  return steps;
}

/** The size of the upright picture, and the places of its tiles in the order of the file. */
export function placesOf(grid: TileGrid): Size & { tiles: TilePlaces[] } {
  const { columns, rows, tile, steps, width, height } = grid;
  const upright = (part: Rectangle, whole: Size) => turned(part, whole, steps);
  const { width: ownWidth, height: ownHeight } = upright({ x: 0, y: 0, width, height }, grid);
  const tiles = Array.from({ length: columns * rows }, (_, index): TilePlaces => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const [x, y] = [column * tile.width, row * tile.height];
    const inside = { width: Math.min(tile.width, width - x), height: Math.min(tile.height, height - y) };
    return {
      cell: upright({ x: column, y: row, width: 1, height: 1 }, { width: columns, height: rows }),
      size: upright({ x: 0, y: 0, ...tile }, tile),
      visible: upright({ x: 0, y: 0, ...inside }, tile),
      to: upright({ x, y, ...inside }, grid),
    };
  });
  return { width: ownWidth, height: ownHeight, tiles };
}

/** Where a part is once the whole has been transformed. */
function turned(part: Rectangle, whole: Size, steps: readonly Step[]): Rectangle {
  let [{ x, y, width, height }, { width: w, height: h }] = [part, whole];
  for (const step of steps) {
    if (step === 'turn') [x, y, width, height, w, h] = [y, w - x - width, height, width, h, w];
    else if (step === 'left-right') x = w - x - width;
    else y = h - y - height;
  }
  return { x, y, width, height };
}
