import { type RefObject, useEffect, useRef } from 'react';
import classes from './grid.module.css';
import type { Layout, Row } from './layout.ts';
import { type Atlases, createAtlases } from './placeholder-atlas.ts';

/** Finds the placeholder of an image: the hashes of its page, and its index among them. */
export type FindPlaceholder = (image: number) => { hashes: readonly (string | null)[]; index: number } | undefined;

/** Height of one canvas in CSS pixels. Two or three are on the screen at once. */
const BLOCK = 1_024;

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
    const draw = (canvas: HTMLCanvasElement, block: number) => drawBlock(canvas, block, layout, find, atlases.current as Atlases);
    const update = () => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, Math.floor(top / BLOCK));
      const to = Math.min(Math.floor(layout.height / BLOCK), Math.floor((top + window.innerHeight) / BLOCK));
      const free = [...blocks].filter(([block]) => block < from || block > to);
      for (let block = from; block <= to; block += 1) {
        if (blocks.has(block)) continue;
        const [old, canvas = document.createElement('canvas')] = free.pop() ?? [];
        if (old !== undefined) blocks.delete(old);
        else layer.current?.append(canvas);
        blocks.set(block, canvas);
        draw(canvas, block);
      }
    };
    for (const [block, canvas] of blocks) draw(canvas, block);
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

function drawBlock(canvas: HTMLCanvasElement, block: number, layout: Layout, find: FindPlaceholder, atlases: Atlases) {
  const { width } = layout.options;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== BLOCK) canvas.height = BLOCK;
  canvas.style.transform = `translateY(${block * BLOCK}px)`;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.clearRect(0, 0, width, BLOCK);
  context.fillStyle = getComputedStyle(canvas).getPropertyValue('--pd-tile');
  if (layout.rows === 0) return;
  for (let index = layout.rowAtTop(block * BLOCK); index < layout.rows; index += 1) {
    const row = layout.rowAt(index);
    if (row.top >= (block + 1) * BLOCK) break;
    drawRow(context, row, row.top - block * BLOCK + row.heading, find, atlases);
  }
}

function drawRow(context: CanvasRenderingContext2D, row: Row, top: number, find: FindPlaceholder, atlases: Atlases) {
  for (const [column, left] of row.lefts.entries()) {
    const width = row.widths[column] ?? 0;
    context.fillRect(left, top, width, row.height);
    const found = find(row.first + column);
    if (found) atlases.draw(context, found.hashes, found.index, left, top, width, row.height);
  }
}
