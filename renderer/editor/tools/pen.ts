import { isOnStroke, type StrokeMark, stroke, strokeOf } from './families/stroke.ts';
import { strokesOf } from './looks.ts';
import type { MarkTool } from './tool.ts';

export interface PenMark extends StrokeMark {
  readonly kind: 'pen';
}

export const pen: MarkTool<PenMark> = {
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
