import { isInside } from '#renderer/editor/geometry.ts';
import { isEmpty, textAttrs, textBox, type WritingMark, writingOf } from './families/writing.ts';
import { fontSize, seamOf } from './looks.ts';
import { type MarkTool, shifted } from './tool.ts';

export interface TextMark extends WritingMark {
  readonly kind: 'text';
}

export const text: MarkTool<TextMark> = {
  kind: 'text',
  key: 'T',
  options: ['colour', 'weight'],
  isWritten: true,
  isPlaced: true,
  draw: (drag) => ({ ...writingOf(drag, drag.to), kind: 'text' }),
  shapes: (mark) => [
    {
      type: 'Text',
      attrs: {
        ...textAttrs(mark),
        fill: mark.colour,
        stroke: seamOf(mark.colour),
        strokeWidth: fontSize(mark) / 6,
        lineJoin: 'round',
        fillAfterStrokeEnabled: true,
      },
    },
  ],
  bounds: textBox,
  isHit: (mark, point, threshold) => isInside(point, textBox(mark), threshold),
  move: (mark, by) => ({ ...mark, ...shifted(mark, by) }),
  isInvisiblySmall: isEmpty,
};
