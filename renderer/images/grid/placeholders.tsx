import { type RefObject, useEffect, useRef } from 'react';
import type { FindPlaceholder } from '#renderer/images/grid-images.ts';
import classes from './grid.module.css';
import type { Layout } from './layout.ts';
import { decodeThumbHash } from './thumb-hash.ts';

/** Height of one canvas in CSS pixels. Two or three are on the screen at once. */
const BLOCK = 1_024;
/** Pixels of a canvas per CSS pixel: placeholders are blurred anyway, and every pixel is drawn and copied at each step of a flight. */
const SCALE = 0.5;

interface Props {
  list: RefObject<HTMLElement | null>;
  layout: Layout;
  find: FindPlaceholder;
}

/**
 * Draws blurred placeholders below the images. They scroll with the page, so they fit however fast it moves, and they need no element for
 * each image: a flight past thousands of images draws one or two canvases per frame and nothing else.
 */
export function Placeholders({ list, layout, find }: Props) {
  const layer = useRef<HTMLDivElement>(null);
  const atlases = useRef<Atlases>(undefined);
  const drawn = useRef(new Map<number, HTMLCanvasElement>());
  useEffect(() => {
    atlases.current ??= createAtlases();
    const blocks = drawn.current;
    const draw = (missing: Iterable<[block: number, canvas: HTMLCanvasElement]>) => {
      // Read once, before the canvases change: each reading after a change would compute the page's styles again.
      const ground = layer.current ? getComputedStyle(layer.current).getPropertyValue('--pd-tile') : '';
      for (const [block, canvas] of missing) drawBlock(canvas, block, { layout, find, ground, atlases: atlases.current as Atlases });
    };
    const update = () => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, Math.floor(top / BLOCK));
      const to = Math.min(Math.floor(layout.height / BLOCK), Math.floor((top + window.innerHeight) / BLOCK));
      const free = [...blocks].filter(([block]) => block < from || block > to);
      const fresh: [number, HTMLCanvasElement][] = [];
      for (let block = from; block <= to; block += 1) {
        if (blocks.has(block)) continue;
        const [old, canvas = document.createElement('canvas')] = free.pop() ?? [];
        if (old !== undefined) blocks.delete(old);
        blocks.set(block, canvas);
        fresh.push([block, canvas]);
      }
      if (fresh.length === 0) return;
      draw(fresh);
      layer.current?.append(...fresh.flatMap(([, canvas]) => (canvas.isConnected ? [] : [canvas])));
    };
    draw(blocks);
    update();
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [list, layout, find]);
  return <div ref={layer} className={classes.placeholders} aria-hidden="true" />;
}

interface Drawing {
  layout: Layout;
  find: FindPlaceholder;
  /** The colour where there is no placeholder. */
  ground: string;
  atlases: Atlases;
}

function drawBlock(canvas: HTMLCanvasElement, block: number, { layout, find, ground, atlases }: Drawing) {
  const { width } = layout.options;
  const size = { width: Math.ceil(width * SCALE), height: BLOCK * SCALE };
  if (canvas.width !== size.width) canvas.width = size.width;
  if (canvas.height !== size.height) canvas.height = size.height;
  canvas.style.width = `${size.width / SCALE}px`;
  canvas.style.transform = `translateY(${block * BLOCK}px)`;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(SCALE, 0, 0, SCALE, 0, 0);
  context.clearRect(0, 0, width, BLOCK);
  context.fillStyle = ground;
  const cells = cellsOf(layout, block);
  for (const { x, y, width, height } of cells) context.fillRect(x, y, width, height);
  const found = cells.flatMap((cell) => {
    const placeholder = find(cell.image);
    return placeholder ? [{ ...cell, ...placeholder }] : [];
  });
  // Decoded first: between drawings, each change of an atlas would copy it.
  for (const { hashes, index } of found) atlases.decode(hashes, index);
  for (const { hashes, index, ...area } of found) atlases.draw(context, hashes, index, area);
}

/** The images of a block, with their places in it. */
function cellsOf(layout: Layout, block: number) {
  const cells: (Area & { image: number })[] = [];
  if (layout.rows === 0) return cells;
  for (let index = layout.rowAtTop(block * BLOCK); index < layout.rows; index += 1) {
    const row = layout.rowAt(index);
    if (row.top >= (block + 1) * BLOCK) break;
    const y = row.top - block * BLOCK + row.heading;
    for (const [column, x] of row.lefts.entries())
      cells.push({ image: row.first + column, x, y, width: row.widths[column] ?? 0, height: row.height });
  }
  return cells;
}

/** Placeholders are at most this wide and high: they have no finer detail. */
const CELL = 16;
const COLUMNS = 10;
/** Atlases kept in memory, for 100 images each: 100 KB of pixels. */
const MAX_ATLASES = 40;

type Hashes = readonly (string | null)[];

/** A rectangle of a canvas. */
interface Area {
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
function createAtlases() {
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

type Atlases = ReturnType<typeof createAtlases>;

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
