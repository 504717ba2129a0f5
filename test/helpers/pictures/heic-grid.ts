import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import type { Box } from '#server/platform/imaging/heif/boxes.ts';
import { readHeifMeta } from '#server/platform/imaging/heif/meta.ts';
import type { Size } from '#server/platform/imaging/types.ts';
import { longs, shorts } from './heif-layouts.ts';
import { isoBox } from './private-metadata.ts';

/** Coded tiles of the same size, and how they are decoded. */
export interface Tiles {
  readonly coded: readonly Buffer[];
  /** The box with the decoder's configuration. */
  readonly hvcC: Buffer;
}

export interface Grid extends Size {
  readonly columns: number;
  readonly rows: number;
  /** The length of a tile's sides. */
  readonly side: number;
  /** Further properties of the whole picture, such as `irot`, in their order. */
  readonly own?: readonly Buffer[];
  /** The same of each tile. */
  readonly ofTiles?: readonly Buffer[];
  /** Makes another picture the alpha channel: the same tiles. */
  readonly hasAlpha?: boolean;
}

/** The tiles of a picture: its own bytes, where it isn't a grid. */
export async function tilesOf(file: Buffer): Promise<Tiles> {
  await using bytes = await ImageBytes.open({ path: 'in memory', bytes: file });
  const { items, extents, properties } = await readHeifMeta(bytes);
  const raw = ({ from, to }: Pick<Box, 'from' | 'to'>) => file.subarray(from, to);
  const hvcC = properties.find(({ type }) => type === 'hvcC');
  if (!hvcC) throw new Error('The picture isn’t coded with HEVC.');
  const coded = items.filter(({ type }) => type === 'hvc1').map(({ id }) => Buffer.concat((extents.get(id) ?? []).map(raw)));
  return { coded, hvcC: raw(hvcC) };
}

/** The bytes of a colour profile as a property. */
export const colourProfile = (icc: Buffer): Buffer => isoBox('colr', Buffer.from('prof'), icc);

/** Turns a picture counter-clockwise, by quarters of a circle. */
export const turn = (quarters: number): Buffer => isoBox('irot', Buffer.of(quarters));

/** Mirrors a picture: 0 upside down, 1 left to right. */
export const mirror = (axis: 0 | 1): Buffer => isoBox('imir', Buffer.of(axis));

/** A HEIC that consists of hidden tiles in rows, like those of phones; tiles are used again where there are too few. */
export function heicGrid({ coded, hvcC }: Tiles, grid: Grid): Buffer {
  const { columns, rows, side, width, height, own = [], ofTiles = [], hasAlpha = false } = grid;
  const count = columns * rows;
  const tiles = Array.from({ length: count }, (_, index) => index + 1);
  const grids = hasAlpha ? [count + 1, count + 2] : [count + 1];
  const size = (w: number, h: number) => isoBox('ispe', longs(0, w, h));
  const alpha = isoBox('auxC', Buffer.alloc(4), Buffer.from('urn:mpeg:hevc:2015:auxid:1\0'));
  const properties = [hvcC, size(side, side), size(width, height), alpha, ...ofTiles, ...own];
  const numbers = (from: number, list: readonly Buffer[]) => list.map((_, index) => from + index);
  const propertiesOf = (id: number) => {
    if (id <= count) return [1, 2, ...numbers(5, ofTiles)];
    return id === count + 1 ? [3, ...numbers(5 + ofTiles.length, own)] : [3, 4];
  };
  const associations = [...tiles, ...grids].map((id) => {
    const list = propertiesOf(id);
    return Buffer.concat([shorts(id), Buffer.of(list.length, ...list)]);
  });
  const layout = Buffer.concat([Buffer.of(0, 0, rows - 1, columns - 1), shorts(width, height)]);
  const dataOf = (id: number) => coded[(id - 1) % coded.length] as Buffer;
  const tableOf = (dataAt: number) => {
    let next = dataAt;
    const places = tiles.map((id) => {
      const place = Buffer.concat([shorts(id, 0, 0, 1), longs(next, dataOf(id).length)]);
      next += dataOf(id).length;
      return place;
    });
    const ofGrids = grids.map((id) => Buffer.concat([shorts(id, 1, 0, 1), longs(0, layout.length)]));
    const entry = (id: number, type: string, flags: number) =>
      isoBox('infe', Buffer.of(2, 0, 0, flags), shorts(id, 0), Buffer.from(`${type}\0`));
    const entries = [...tiles.map((id) => entry(id, 'hvc1', 1)), ...grids.map((id, index) => entry(id, 'grid', index))];
    const references = [
      ...grids.map((id) => isoBox('dimg', shorts(id, count, ...tiles))),
      ...(hasAlpha ? [isoBox('auxl', shorts(count + 2, 1, count + 1))] : []),
    ];
    return isoBox(
      'meta',
      Buffer.alloc(4),
      isoBox('hdlr', Buffer.alloc(8), Buffer.from('pict'), Buffer.alloc(13)),
      isoBox('pitm', Buffer.alloc(4), shorts(count + 1)),
      isoBox('iloc', Buffer.of(1, 0, 0, 0, 0x44, 0), shorts(places.length + ofGrids.length), ...places, ...ofGrids),
      isoBox('iinf', Buffer.alloc(4), shorts(entries.length), ...entries),
      isoBox('iprp', isoBox('ipco', ...properties), isoBox('ipma', longs(0, associations.length), ...associations)),
      isoBox('iref', Buffer.alloc(4), ...references),
      isoBox('idat', layout),
    );
  };
  const type = isoBox('ftyp', Buffer.from('heic'), longs(0), Buffer.from('mif1heic'));
  const dataAt = type.length + tableOf(0).length + 8;
  return Buffer.concat([type, tableOf(dataAt), isoBox('mdat', ...tiles.map(dataOf))]);
}
