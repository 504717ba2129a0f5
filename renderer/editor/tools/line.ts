import { isOnSegment, type SegmentMark, segment, segmentOf } from './families/segment.ts';
import { strokesOf } from './looks.ts';
import type { MarkTool } from './tool.ts';

export interface LineMark extends SegmentMark {
  readonly kind: 'line';
}

export const line: MarkTool<LineMark> = {
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
