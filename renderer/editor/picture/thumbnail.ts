import { readDrawing } from '#renderer/editor/marks/drawing.ts';
import { newCanvas } from './canvas.ts';
import { drawResult } from './render.ts';
import { openSource } from './source.ts';

/** Pixels. */
const HEIGHT = 120;

/**
 * The address of a small picture of a file with what is drawn on it. Covered regions are as they would be saved.
 * @throws NotEditableError
 */
export async function drawThumbnail(bytes: Uint8Array<ArrayBuffer>, marks: string): Promise<string> {
  const source = await openSource(new Blob([bytes]));
  try {
    const result = drawResult(source, readDrawing(marks));
    const scale = Math.min(1, HEIGHT / result.height);
    const { canvas, context } = newCanvas({ width: Math.ceil(result.width * scale), height: Math.ceil(result.height * scale) });
    context.imageSmoothingQuality = 'high';
    context.drawImage(result, 0, 0, canvas.width, canvas.height);
    // Browsers keep the memory of a canvas until it is empty.
    result.width = 0;
    return canvas.toDataURL('image/webp', 0.8);
  } finally {
    source.close();
  }
}
