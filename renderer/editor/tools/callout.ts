import { centreOf, clamp, clampPoint, isInside, type Point, type Rect } from '#renderer/editor/geometry.ts';
import { isEmpty, textAttrs, textBox, type WritingMark, writingOf } from './families/writing.ts';
import { fontSize, inkOn, seamOf, seamWidth } from './looks.ts';
import { type MarkTool, shifted } from './tool.ts';

/** A text in a bubble that points at something. */
export interface CalloutMark extends WritingMark {
  readonly kind: 'callout';
  readonly tip: Point;
}

const marginOf = (mark: CalloutMark) => fontSize(mark) * 0.45;

/** The bubble around the text. */
function bubbleOf(mark: CalloutMark): Rect {
  const margin = marginOf(mark);
  const { x, y, width, height } = textBox(mark);
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

/** The triangle from the middle of the bubble to what it points at. */
function tailOf(mark: CalloutMark): number[] {
  const bubble = bubbleOf(mark);
  const centre = centreOf(bubble);
  const [dx, dy] = [mark.tip.x - centre.x, mark.tip.y - centre.y];
  const length = Math.max(1, Math.hypot(dx, dy));
  const half = Math.min(bubble.width, bubble.height) * 0.28;
  const [sideX, sideY] = [(-dy / length) * half, (dx / length) * half];
  return [centre.x + sideX, centre.y + sideY, mark.tip.x, mark.tip.y, centre.x - sideX, centre.y - sideY];
}

export const callout: MarkTool<CalloutMark> = {
  kind: 'callout',
  key: 'M',
  options: ['colour', 'weight'],
  isWritten: true,
  isPlaced: true,
  draw(drag) {
    const mark = writingOf(drag, drag.to);
    const size = fontSize(mark);
    const isClick = Math.hypot(drag.to.x - drag.from.x, drag.to.y - drag.from.y) < size / 2;
    // Where there was no drag, the bubble is beside what it points at.
    const place = isClick ? clampPoint(shifted(drag.from, { x: size * 1.5, y: -size * 2.5 }), drag.content) : drag.to;
    return { ...mark, ...place, kind: 'callout', tip: drag.from };
  },
  shapes(mark) {
    const { colour, line } = mark;
    const bubble = { ...bubbleOf(mark), cornerRadius: fontSize(mark) * 0.35 };
    const tail = { points: tailOf(mark), closed: true };
    const seam = { stroke: seamOf(colour), strokeWidth: 2 * seamWidth(line), lineJoin: 'round' } as const;
    return [
      { type: 'Line', attrs: { ...tail, ...seam } },
      { type: 'Rect', attrs: { ...bubble, ...seam } },
      // Above both outlines, so that only the one around the whole remains.
      { type: 'Line', attrs: { ...tail, fill: colour } },
      { type: 'Rect', attrs: { ...bubble, fill: colour } },
      { type: 'Text', attrs: { ...textAttrs(mark), fill: inkOn(colour) } },
    ];
  },
  wrapAt: (mark, { width, height }) => (mark.turns % 2 === 0 ? width : height) - 2 * marginOf(mark),
  within(mark, content) {
    const { x, y, width, height } = bubbleOf(mark);
    const [right, bottom] = [content.x + content.width - width, content.y + content.height - height];
    return { ...mark, ...shifted(mark, { x: clamp(x, content.x, right) - x, y: clamp(y, content.y, bottom) - y }) };
  },
  bounds: bubbleOf,
  isHit: (mark, point, threshold) => isInside(point, bubbleOf(mark), threshold),
  move: (mark, by) => ({ ...mark, ...shifted(mark, by), tip: shifted(mark.tip, by) }),
  ends: ({ tip }) => [{ type: 'tip', ...tip }],
  withEnd: (mark, _end, to) => ({ ...mark, tip: to }),
  isInvisiblySmall: isEmpty,
};
