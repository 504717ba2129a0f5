import { isOnSegment, type SegmentMark, segment, segmentOf } from './families/segment.ts';
import { strokesOf } from './looks.ts';
import type { MarkTool } from './tool.ts';

export interface ArrowMark extends SegmentMark {
  readonly kind: 'arrow';
}

export const arrow: MarkTool<ArrowMark> = {
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
