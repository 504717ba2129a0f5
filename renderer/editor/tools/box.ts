import { isInside } from '#renderer/editor/stage/geometry.ts';
import { type AreaMark, area, areaOf } from './families/area.ts';
import { strokesOf } from './looks.ts';
import { type DrawnMark, drawnWith, type MarkTool } from './tool.ts';

export interface BoxMark extends AreaMark, DrawnMark {
  readonly kind: 'box';
  readonly filled: boolean;
}

export const box: MarkTool<BoxMark> = {
  ...area<BoxMark>(),
  kind: 'box',
  key: 'B',
  options: ['colour', 'weight', 'filled'],
  draw: (drag) => ({ id: drag.id, kind: 'box', ...drawnWith(drag), ...areaOf(drag), filled: drag.style.filled }),
  shapes(mark) {
    const { x, y, width, height, line, colour } = mark;
    const place = { x, y, width, height };
    // Without an outline, and with sharp corners: nothing of what is below may remain.
    if (mark.filled) return [{ type: 'Rect', attrs: { ...place, fill: colour } }];
    const cornerRadius = Math.min(line * 1.2, width / 2, height / 2);
    return strokesOf(mark).map((look) => ({ type: 'Rect', attrs: { ...place, cornerRadius, ...look } }));
  },
  isHit(mark, point, threshold) {
    // An empty box lets through what is inside it.
    const edge = mark.line / 2 + threshold;
    return mark.filled ? isInside(point, mark, threshold) : isInside(point, mark, edge) && !isInside(point, mark, -edge);
  },
};
