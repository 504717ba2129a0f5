import type { Rect } from '#renderer/editor/stage/geometry.ts';
import { type ArrowMark, arrow } from './arrow.ts';
import { type BlurMark, blur } from './blur.ts';
import { type BoxMark, box } from './box.ts';
import { type CalloutMark, callout } from './callout.ts';
import { type CoverMark, cover } from './cover.ts';
import { type EllipseMark, ellipse } from './ellipse.ts';
import { type HighlighterMark, highlighter } from './highlighter.ts';
import { type LineMark, line } from './line.ts';
import { type PenMark, pen } from './pen.ts';
import { type PixelateMark, pixelate } from './pixelate.ts';
import { type SpotlightMark, spotlight } from './spotlight.ts';
import { type StepMark, step } from './step.ts';
import { type TextMark, text } from './text.ts';
import { FIRST_STYLE, lineWidth, type MarkTool, type Style } from './tool.ts';

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
