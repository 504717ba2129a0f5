import type { Context } from 'konva/lib/Context.js';
import { Group } from 'konva/lib/Group.js';
import { Shape } from 'konva/lib/Shape.js';
import { Arrow } from 'konva/lib/shapes/Arrow.js';
import { Rect } from 'konva/lib/shapes/Rect.js';
import { Text } from 'konva/lib/shapes/Text.js';
import { type CoverMark, type Drawing, type Mark, remaining, resultSize, type TextMark } from '#renderer/editor/marks/drawing.ts';
import { FONT, FONT_WEIGHT, fontSize, LINE_HEIGHT, type ShapeSpec, shapesOf } from '#renderer/editor/marks/shapes.ts';
import { type Size, type Turns, turnMatrix, turnRect } from '#renderer/editor/stage/geometry.ts';
import { newCanvas } from './canvas.ts';
import type { Covers } from './covers.ts';
import { type OutputFormat, QUALITY } from './output.ts';
import { NotEditableError, type Source } from './source.ts';

export const isCover = (mark: Mark): mark is CoverMark => mark.kind === 'blur' || mark.kind === 'pixelate';

type SceneFunc = (context: Context) => void;

/** Draws the picture turned, by exact numbers, and with the covered regions gone from it, whatever is drawn above. */
export function drawBase({ size }: Source, image: HTMLImageElement | HTMLCanvasElement, covers: Covers, drawing: Drawing): SceneFunc {
  return ({ _context: context }) => {
    context.save();
    context.transform(...turnMatrix(drawing.turns, size));
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, size.width, size.height);
    for (const mark of drawing.marks) if (isCover(mark)) covers.draw(context, mark);
    context.restore();
  };
}

/** Draws a covered region above other marks. */
export const drawCover =
  (covers: Covers, mark: CoverMark): SceneFunc =>
  ({ _context }) =>
    covers.draw(_context, mark);

/** How Konva turns the marks of a picture together with it. */
export function turnedGroup(turns: Turns, size: Size) {
  const [, , , , x, y] = turnMatrix(turns, size);
  return { x, y, rotation: turns * 90 };
}

function shapeOf({ type, attrs }: ShapeSpec): Shape {
  if (type === 'Rect') return new Rect(attrs);
  return type === 'Arrow' ? new Arrow({ ...attrs, points: attrs.points }) : new Text(attrs);
}

/** The edited picture, one pixel of the canvas for each of its own. */
export function drawResult(source: Source, covers: Covers, drawing: Drawing): HTMLCanvasElement {
  const root = new Group();
  root.add(new Shape({ sceneFunc: drawBase(source, source.image, covers, drawing) }));
  const marks = new Group(turnedGroup(drawing.turns, source.size));
  for (const mark of drawing.marks)
    if (isCover(mark)) marks.add(new Shape({ sceneFunc: drawCover(covers, mark) }));
    else marks.add(...shapesOf(mark).map(shapeOf));
  root.add(marks);
  const { x, y } = turnRect(remaining(drawing, source.size), drawing.turns, source.size);
  const canvas = root.toCanvas({ x, y, ...resultSize(drawing, source.size), pixelRatio: 1 });
  root.destroy();
  return canvas;
}

/**
 * Encodes a canvas in the first of these formats that the browser can write.
 * @throws NotEditableError if it can write none, for want of memory
 */
export async function encode(canvas: HTMLCanvasElement, formats: readonly OutputFormat[]): Promise<{ blob: Blob; format: OutputFormat }> {
  for (const format of formats) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, format.mime, QUALITY));
    // A browser that can't write a format writes a PNG instead.
    if (blob?.type === format.mime) return { blob, format };
  }
  throw new NotEditableError('tooLarge');
}

/** The size of a text as it is drawn, in pixels of the picture. */
export function measureText(text: string, mark: Pick<TextMark, 'line'>): Size {
  const { context } = newCanvas({ width: 1, height: 1 });
  context.font = `${FONT_WEIGHT} ${fontSize(mark)}px ${FONT}`;
  const lines = text.split('\n');
  return {
    width: Math.max(...lines.map((line) => context.measureText(line).width)),
    height: lines.length * fontSize(mark) * LINE_HEIGHT,
  };
}
