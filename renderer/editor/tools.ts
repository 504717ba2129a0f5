import { COLOURS, type Colour, type Mark, type TextMark } from '#renderer/editor/marks/drawing.ts';
import { type Point, type Rect, rectBetween, type Size, type Turns, toTurns, wholePixels } from '#renderer/editor/stage/geometry.ts';

export const TOOLS = ['select', 'crop', 'pixelate', 'blur', 'box', 'arrow', 'text'] as const;
export type Tool = (typeof TOOLS)[number];
/** A tool that draws by dragging. */
export type DragTool = Exclude<Tool, 'select' | 'crop' | 'text'>;

export const isDragTool = (tool: Tool): tool is DragTool => tool !== 'select' && tool !== 'crop' && tool !== 'text';

/** Widths of lines, in thousandths of the picture's longer side. */
export const WEIGHTS = { thin: 3, medium: 6, thick: 12 } as const;
export type Weight = keyof typeof WEIGHTS;
export const WEIGHT_NAMES = ['thin', 'medium', 'thick'] as const satisfies readonly Weight[];

/** How new marks look. */
export interface Style {
  readonly colour: Colour;
  readonly weight: Weight;
  /** Boxes are filled. */
  readonly filled: boolean;
}

export const FIRST_STYLE: Style = { colour: COLOURS[0], weight: 'medium', filled: false };

/** The width of a line in a picture of this size; visible in small pictures as well. */
export const lineWidth = (weight: Weight, { width, height }: Size) => WEIGHTS[weight] * Math.max(0.7, Math.max(width, height) / 1000);

/** The weight that a mark's line was drawn with. */
export const weightOf = (line: number, size: Size): Weight =>
  WEIGHT_NAMES.findLast((weight) => line >= lineWidth(weight, size) * 0.99) ?? 'thin';

interface Placed {
  id: number;
  from: Point;
  to: Point;
  style: Style;
  /** What remains of the picture: lines depend on it. */
  content: Rect;
}

/** The mark that a drag from one point to another draws. Rectangles have whole pixels, so that their edges are sharp. */
export function dragged(tool: DragTool, { id, from, to, style, content }: Placed): Mark {
  const drawn = { id, colour: style.colour, line: lineWidth(style.weight, content) };
  if (tool === 'arrow') return { ...drawn, kind: tool, from, to };
  const rect = wholePixels(rectBetween(from, to), content);
  return tool === 'box' ? { ...drawn, ...rect, kind: tool, filled: style.filled } : { id, kind: tool, ...rect };
}

/** A new text that is upright in a picture turned so far. It has no size until it is measured. */
export function newText(id: number, { x, y }: Point, turns: Turns, style: Style, content: Rect): TextMark {
  const drawn = { id, colour: style.colour, line: lineWidth(style.weight, content) };
  return { ...drawn, kind: 'text', x, y, text: '', turns: toTurns(-turns), width: 0, height: 0 };
}

/** Two corners of the middle of a picture, for marks that are added without a pointer. */
export function middleOf({ x, y, width, height }: Rect): { from: Point; to: Point } {
  return { from: { x: x + width * 0.35, y: y + height * 0.4 }, to: { x: x + width * 0.65, y: y + height * 0.6 } };
}

/** A mark with another look, as far as it has one. */
export function restyled(mark: Mark, { colour, weight, filled }: Partial<Style>, content: Rect): Mark {
  if (mark.kind === 'blur' || mark.kind === 'pixelate') return mark;
  const drawn = { ...mark, ...(colour && { colour }), ...(weight && { line: lineWidth(weight, content) }) };
  return drawn.kind === 'box' && filled !== undefined ? { ...drawn, filled } : drawn;
}
