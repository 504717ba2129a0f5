import type { Context } from 'konva/lib/Context.js';
import { Group } from 'konva/lib/Group.js';
import { Shape } from 'konva/lib/Shape.js';
import { Arrow } from 'konva/lib/shapes/Arrow.js';
import { Ellipse } from 'konva/lib/shapes/Ellipse.js';
import { Line } from 'konva/lib/shapes/Line.js';
import { Rect } from 'konva/lib/shapes/Rect.js';
import { Text } from 'konva/lib/shapes/Text.js';
import { type Rect as Area, type Size, type Turns, turnMatrix, turnRect, wholeRect } from '#renderer/editor/geometry.ts';
import { type Drawing, numberOf, remaining, resultRect } from '#renderer/editor/marks/drawing.ts';
import type { BlurMark } from '#renderer/editor/tools/blur.ts';
import type { WritingMark } from '#renderer/editor/tools/families/writing.ts';
import { FONT, FONT_WEIGHT, fontSize, LINE_HEIGHT } from '#renderer/editor/tools/looks.ts';
import type { PixelateMark } from '#renderer/editor/tools/pixelate.ts';
import type { ShapeSpec } from '#renderer/editor/tools/tool.ts';
import { isObscured, type Mark, toolOf } from '#renderer/editor/tools/tools.ts';
import { newCanvas } from './canvas.ts';
import { drawFrame, outline } from './frame.ts';
import { type OutputFormat, QUALITY } from './output.ts';
import { NotEditableError, type Source } from './source.ts';

type SceneFunc = (context: Context) => void;

/** Draws the picture turned, by exact numbers, and with the covered regions gone from it, whatever is drawn above. */
export function drawBase({ size, covers }: Source, image: HTMLImageElement | HTMLCanvasElement, drawing: Drawing): SceneFunc {
  return ({ _context: context }) => {
    context.save();
    context.transform(...turnMatrix(drawing.turns, size));
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, size.width, size.height);
    for (const mark of drawing.marks) if (isObscured(mark)) covers.draw(context, mark);
    darken(context, drawing, wholeRect(size));
    context.restore();
  };
}

/** Draws a pixelated or blurred region above other marks. */
export const drawCover =
  ({ covers }: Source, drawing: Drawing, mark: PixelateMark | BlurMark): SceneFunc =>
  ({ _context: context }) => {
    covers.draw(context, mark);
    darken(context, drawing, mark);
    coverAgain(context, drawing, mark);
  };

/** Draws the covers and filled boxes below a pixelated or blurred region above it: its blocks are made from what they hide. */
function coverAgain(context: CanvasRenderingContext2D, { marks }: Drawing, mark: PixelateMark | BlurMark): void {
  const below = marks.slice(
    0,
    marks.findIndex(({ id }) => id === mark.id),
  );
  const opaque = below
    .filter((other) => other.kind === 'cover' || other.kind === 'box')
    .filter((other) => other.kind === 'cover' || other.filled);
  context.save();
  context.beginPath();
  context.rect(mark.x, mark.y, mark.width, mark.height);
  context.clip();
  for (const { x, y, width, height, colour } of opaque) {
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
  }
  context.restore();
}

/** Darkens a part of the picture, except where there are spotlights. Without spotlights, nothing is dark. */
function darken(context: CanvasRenderingContext2D, { marks }: Drawing, part: Area): void {
  const spotlights = marks.filter(({ kind }) => kind === 'spotlight').map((mark) => toolOf(mark.kind).bounds(mark));
  if (spotlights.length === 0) return;
  context.save();
  // Each clip leaves out one spotlight, so that where two overlap it is bright, too.
  for (const { x, y, width, height } of spotlights) {
    context.beginPath();
    context.rect(part.x, part.y, part.width, part.height);
    context.roundRect(x, y, width, height, Math.min(width, height) * 0.04);
    context.clip('evenodd');
  }
  context.fillStyle = 'rgb(8 12 14 / 62%)';
  context.fillRect(part.x, part.y, part.width, part.height);
  context.restore();
}

/** What a mark is drawn with. */
export const shapesOf = (drawing: Drawing, mark: Mark): ShapeSpec[] => toolOf(mark.kind).shapes(mark, numberOf(drawing, mark));

/** Draws the frame around what remains of the picture. */
export const drawSurroundings =
  (content: Area, { frame }: Pick<Drawing, 'frame'>): SceneFunc =>
  ({ _context }) => {
    if (frame) drawFrame(_context, content, frame);
  };

/** Cuts the picture and its marks off at what remains, with the corners of its frame. */
export const clipTo =
  (content: Area, { frame }: Pick<Drawing, 'frame'>): SceneFunc =>
  ({ _context }) =>
    outline(_context, content, frame);

/** How Konva turns the marks of a picture together with it. */
export function turnedGroup(turns: Turns, size: Size) {
  const [, , , , x, y] = turnMatrix(turns, size);
  return { x, y, rotation: turns * 90 };
}

function shapeOf({ type, attrs }: ShapeSpec): Shape {
  if (type === 'Rect') return new Rect(attrs);
  if (type === 'Ellipse') return new Ellipse(attrs);
  if (type === 'Line') return new Line(attrs);
  return type === 'Arrow' ? new Arrow(attrs) : new Text(attrs);
}

/** Draws the edited picture: one pixel of the canvas for each of its own. */
export function drawResult(source: Source, drawing: Drawing): HTMLCanvasElement {
  const { size } = source;
  const content = turnRect(remaining(drawing, size), drawing.turns, size);
  const picture = new Group({ clipFunc: clipTo(content, drawing) });
  picture.add(new Shape({ sceneFunc: drawBase(source, source.image, drawing) }));
  const marks = new Group(turnedGroup(drawing.turns, source.size));
  for (const mark of drawing.marks)
    if (isObscured(mark)) marks.add(new Shape({ sceneFunc: drawCover(source, drawing, mark) }));
    else marks.add(...shapesOf(drawing, mark).map(shapeOf));
  picture.add(marks);
  const root = new Group();
  root.add(new Shape({ sceneFunc: drawSurroundings(content, drawing) }), picture);
  const canvas = root.toCanvas({ ...resultRect(drawing, size), pixelRatio: 1 });
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
export function measureText(text: string, mark: Pick<WritingMark, 'line' | 'wrap'>): Size {
  const { context } = newCanvas({ width: 1, height: 1 });
  context.font = `${FONT_WEIGHT} ${fontSize(mark)}px ${FONT}`;
  const lines = text.split('\n');
  const width = Math.max(...lines.map((line) => context.measureText(line).width));
  const { wrap } = mark;
  if (wrap === undefined || width < wrap) return { width, height: lines.length * fontSize(mark) * LINE_HEIGHT };
  const look = { fontFamily: FONT, fontSize: fontSize(mark), fontStyle: FONT_WEIGHT, lineHeight: LINE_HEIGHT };
  return { width: wrap, height: new Text({ ...look, text, width: wrap, wrap: 'word' }).height() };
}
