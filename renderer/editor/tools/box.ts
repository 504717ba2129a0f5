import { centreOf, isInside, type Point, type Rect } from '#renderer/editor/geometry.ts';
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

export interface EllipseMark extends AreaMark, DrawnMark {
  readonly kind: 'ellipse';
  readonly filled: boolean;
}

export const ellipse: MarkTool<EllipseMark> = {
  ...area<EllipseMark>(),
  kind: 'ellipse',
  key: 'E',
  options: ['colour', 'weight', 'filled'],
  draw: (drag) => ({ id: drag.id, kind: 'ellipse', ...drawnWith(drag), ...areaOf(drag), filled: drag.style.filled }),
  shapes(mark) {
    const place = { ...centreOf(mark), radiusX: mark.width / 2, radiusY: mark.height / 2 };
    if (mark.filled) return [{ type: 'Ellipse', attrs: { ...place, fill: mark.colour } }];
    return strokesOf(mark).map((look) => ({ type: 'Ellipse', attrs: { ...place, ...look } }));
  },
  isHit(mark, point, threshold) {
    const edge = mark.line / 2 + threshold;
    if (mark.filled) return isInEllipse(point, mark, threshold);
    return isInEllipse(point, mark, edge) && !isInEllipse(point, mark, -edge);
  },
};

/** Whether a point is in the ellipse that fills a rectangle, grown by a margin. */
function isInEllipse(point: Point, rect: Rect, margin: number): boolean {
  const [across, along] = [rect.width / 2 + margin, rect.height / 2 + margin];
  if (across <= 0 || along <= 0) return false;
  const { x, y } = centreOf(rect);
  return ((point.x - x) / across) ** 2 + ((point.y - y) / along) ** 2 <= 1;
}
