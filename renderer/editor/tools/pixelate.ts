import { type AreaMark, area, areaOf } from './families/area.ts';
import type { MarkTool } from './tool.ts';

/** A rectangle that is reduced to a few blocks. */
export interface PixelateMark extends AreaMark {
  readonly kind: 'pixelate';
}

export const pixelate: MarkTool<PixelateMark> = {
  ...area<PixelateMark>(),
  kind: 'pixelate',
  key: 'P',
  options: [],
  isCover: true,
  draw: (drag) => ({ id: drag.id, kind: 'pixelate', ...areaOf(drag) }),
  // Drawn from the pixels of the picture, see picture/obscure.ts.
  shapes: () => [],
};
