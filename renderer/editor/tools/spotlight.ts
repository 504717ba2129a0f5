import { type AreaMark, area, areaOf } from './families/area.ts';
import type { MarkTool } from './tool.ts';

/** A rectangle that stays bright: everything that is in no spotlight is darkened. */
export interface SpotlightMark extends AreaMark {
  readonly kind: 'spotlight';
}

export const spotlight: MarkTool<SpotlightMark> = {
  ...area<SpotlightMark>(),
  kind: 'spotlight',
  key: 'S',
  options: [],
  draw: (drag) => ({ id: drag.id, kind: 'spotlight', ...areaOf(drag) }),
  // All of them together darken the picture, see picture/render.ts.
  shapes: () => [],
};
