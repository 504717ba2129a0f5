import { type AreaMark, area, areaOf } from './families/area.ts';
import type { MarkTool } from './tool.ts';

/** A rectangle that is reduced to a few blocks, with smooth transitions. */
export interface BlurMark extends AreaMark {
  readonly kind: 'blur';
}

export const blur: MarkTool<BlurMark> = {
  ...area<BlurMark>(),
  kind: 'blur',
  key: 'U',
  options: [],
  isCover: true,
  draw: (drag) => ({ id: drag.id, kind: 'blur', ...areaOf(drag) }),
  // Drawn from the pixels of the picture, see picture/obscure.ts.
  shapes: () => [],
};
