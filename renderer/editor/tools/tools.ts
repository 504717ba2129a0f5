import type { Rect } from '#renderer/editor/geometry.ts';
import { type BlurMark, blur } from './blur.ts';
import { type BoxMark, box, type EllipseMark, ellipse } from './box.ts';
import { type CalloutMark, callout } from './callout.ts';
import { type AreaMark, area, areaOf } from './families/area.ts';
import { isOnSegment, type SegmentMark, segment, segmentOf } from './families/segment.ts';
import { isOnStroke, type StrokeMark, stroke, strokeOf } from './families/stroke.ts';
import { strokesOf } from './looks.ts';
import { type PixelateMark, pixelate } from './pixelate.ts';
import { type StepMark, step } from './step.ts';
import { type TextMark, text } from './text.ts';
import { type Colour, FIRST_STYLE, lineWidth, type MarkTool, type Style } from './tool.ts';

export interface ArrowMark extends SegmentMark {
  readonly kind: 'arrow';
}

const arrow: MarkTool<ArrowMark> = {
  ...segment<ArrowMark>(),
  kind: 'arrow',
  key: 'A',
  options: ['colour', 'weight'],
  draw: (drag) => ({ ...segmentOf(drag), kind: 'arrow' }),
  shapes(mark) {
    const { from, to, line } = mark;
    const head = Math.min(line * 4, Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1));
    const common = { pointerLength: head, pointerWidth: head, lineCap: 'round', lineJoin: 'round' } as const;
    return strokesOf(mark).map((look) => ({
      type: 'Arrow',
      attrs: { ...common, ...look, fill: look.stroke, points: [from.x, from.y, to.x, to.y] },
    }));
  },
  // The head is wider than the line.
  isHit: (mark, point, threshold) => isOnSegment(mark, point, threshold, 1.5),
};

export interface PenMark extends StrokeMark {
  readonly kind: 'pen';
}

const pen: MarkTool<PenMark> = {
  ...stroke<PenMark>(),
  kind: 'pen',
  key: 'D',
  options: ['colour', 'weight'],
  draw: (drag) => ({ ...strokeOf(drag), kind: 'pen' }),
  shapes: (mark) =>
    strokesOf(mark).map((look) => ({
      type: 'Line',
      attrs: { ...look, points: [...mark.points], tension: 0.4, lineCap: 'round', lineJoin: 'round' },
    })),
  isHit: (mark, point, threshold) => isOnStroke(mark, point, threshold, 1),
};

/** A rectangle that stays bright: everything that is in no spotlight is darkened. */
interface SpotlightMark extends AreaMark {
  readonly kind: 'spotlight';
}

const spotlight: MarkTool<SpotlightMark> = {
  ...area<SpotlightMark>(),
  kind: 'spotlight',
  key: 'S',
  options: [],
  draw: (drag) => ({ id: drag.id, kind: 'spotlight', ...areaOf(drag) }),
  // All of them together darken the picture, see picture/render.ts.
  shapes: () => [],
};

interface LineMark extends SegmentMark {
  readonly kind: 'line';
}

const line: MarkTool<LineMark> = {
  ...segment<LineMark>(),
  kind: 'line',
  key: 'L',
  options: ['colour', 'weight'],
  draw: (drag) => ({ ...segmentOf(drag), kind: 'line' }),
  shapes: (mark) =>
    strokesOf(mark).map((look) => ({
      type: 'Line',
      attrs: { ...look, points: [mark.from.x, mark.from.y, mark.to.x, mark.to.y], lineCap: 'round' },
    })),
  isHit: (mark, point, threshold) => isOnSegment(mark, point, threshold, 0.5),
};

interface HighlighterMark extends StrokeMark {
  readonly kind: 'highlighter';
}

/** How wide a stroke is, in lines: as high as a line of text. */
const WIDTHS = 4;

const highlighter: MarkTool<HighlighterMark> = {
  ...stroke<HighlighterMark>(),
  kind: 'highlighter',
  key: 'H',
  options: ['colour', 'weight'],
  first: { colour: '#ffd43b' },
  draw: (drag) => ({ ...strokeOf(drag), kind: 'highlighter' }),
  shapes({ points, colour, line }) {
    const look = { points: [...points], stroke: colour, strokeWidth: line * WIDTHS, lineJoin: 'round' as const, tension: 0.4 };
    // Multiplied, text stays as dark as it is; the second stroke is what shows on a dark picture.
    return [
      { type: 'Line', attrs: { ...look, opacity: 0.6, globalCompositeOperation: 'multiply' } },
      { type: 'Line', attrs: { ...look, opacity: 0.22 } },
    ];
  },
  isHit: (mark, point, threshold) => isOnStroke(mark, point, threshold, WIDTHS),
};

/** A rectangle of one colour: nothing remains of what is below it, not even the tone. */
interface CoverMark extends AreaMark {
  readonly kind: 'cover';
  readonly colour: Colour;
}

const cover: MarkTool<CoverMark> = {
  ...area<CoverMark>(),
  kind: 'cover',
  key: 'K',
  options: ['colour'],
  first: { colour: '#141a1c' },
  isCover: true,
  draw: (drag) => ({ id: drag.id, kind: 'cover', ...areaOf(drag), colour: drag.style.colour }),
  // Without an outline, and with sharp corners: nothing of what is below may remain.
  shapes: ({ x, y, width, height, colour }) => [{ type: 'Rect', attrs: { x, y, width, height, fill: colour } }],
};

/** Something drawn on the picture. */
export type Mark =
  | CoverMark
  | PixelateMark
  | BlurMark
  | BoxMark
  | EllipseMark
  | ArrowMark
  | LineMark
  | PenMark
  | HighlighterMark
  | TextMark
  | CalloutMark
  | StepMark
  | SpotlightMark;
export type MarkKind = Mark['kind'];

/** Every tool that draws, in the order of the toolbar. */
const MARK_TOOLS: { readonly [Kind in MarkKind]: MarkTool<Extract<Mark, { kind: Kind }>> } = {
  ...{ cover, pixelate, blur },
  ...{ box, ellipse, arrow, line },
  ...{ pen, highlighter, text, callout, step, spotlight },
};

export const MARK_KINDS = Object.keys(MARK_TOOLS) as MarkKind[];

/** What can be done with a mark, or drawn with a tool. */
export const toolOf = (kind: MarkKind): MarkTool<Mark> => MARK_TOOLS[kind];

/** The tools that draw no marks: they select them, and choose what remains of the picture and what is around it. */
export type Tool = MarkKind | 'select' | 'crop' | 'frame';
export const TOOLS: readonly Tool[] = ['select', 'crop', ...MARK_KINDS, 'frame'];

export const isMarkKind = (tool: Tool): tool is MarkKind => Object.hasOwn(MARK_TOOLS, tool);

/** The key of each tool. */
export const keyOf = (tool: Tool): string => (isMarkKind(tool) ? toolOf(tool).key : { select: 'V', crop: 'C', frame: 'F' }[tool]);

export type Styles = Readonly<Record<MarkKind, Style>>;

/** How the first marks look. */
export const FIRST_STYLES = Object.fromEntries(MARK_KINDS.map((kind) => [kind, { ...FIRST_STYLE, ...toolOf(kind).first }])) as Styles;

/** Whether a mark is made of blocks that are computed from the picture. */
export const isObscured = (mark: Mark): mark is PixelateMark | BlurMark => mark.kind === 'pixelate' || mark.kind === 'blur';

/** Whether a mark hides what is below it. */
export const isCover = ({ kind }: Mark): boolean => toolOf(kind).isCover === true;

/** Whether a mark has a text. */
export const isWriting = (mark: Mark): mark is TextMark | CalloutMark => mark.kind === 'text' || mark.kind === 'callout';

/** A mark with another look, as far as it has one. */
export function restyled<M extends Mark>(mark: M, { colour, weight, filled }: Partial<Style>, content: Rect): M {
  return {
    ...mark,
    ...(colour && 'colour' in mark && { colour }),
    ...(weight && 'line' in mark && { line: lineWidth(weight, content) }),
    ...(filled !== undefined && 'filled' in mark && { filled }),
  };
}
