import type { Size } from '#renderer/editor/geometry.ts';

/** An empty canvas that isn't on the page. `reads`: its pixels are read often, which is faster in memory than on the graphics card. */
export function newCanvas({ width, height }: Size, reads = false): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: reads });
  if (!context) throw new Error('This browser can’t draw on a canvas.');
  return { canvas, context };
}
