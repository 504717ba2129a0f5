import type { Rect, Size } from '#renderer/editor/geometry.ts';

/** Widths of the space around the picture, in hundredths of its longer side. */
export const PADDINGS = { none: 0, small: 4, medium: 8, large: 14 } as const;
/** Radii of the picture's corners, in the same unit. */
export const CORNERS = { none: 0, small: 1.2, large: 3 } as const;
/** What is around the picture: colours from one corner to the other, or nothing. */
export const BACKGROUNDS = {
  none: [],
  white: ['#ffffff'],
  grey: ['#d3dadc'],
  black: ['#141a1c'],
  petrol: ['#7cc0ca', '#0e4b55'],
  sky: ['#a5d8ff', '#4263eb'],
  meadow: ['#d8f5a2', '#099268'],
  sunset: ['#ffd8a8', '#e8590c', '#a61e4d'],
  violet: ['#eebefa', '#5f3dc4'],
} as const satisfies Record<string, readonly string[]>;

/** Space, background, corners and shadow around a picture. */
export interface Frame {
  readonly padding: keyof typeof PADDINGS;
  readonly background: keyof typeof BACKGROUNDS;
  readonly corners: keyof typeof CORNERS;
  readonly shadow: boolean;
}

export const FIRST_FRAME: Frame = { padding: 'medium', background: 'petrol', corners: 'small', shadow: true };

const hundredths = ({ width, height }: Size, share: number) => Math.round((Math.max(width, height) * share) / 100);

/** The space around a picture of this size, in pixels. */
export const paddingOf = (size: Size, frame: Frame | null): number => (frame ? hundredths(size, PADDINGS[frame.padding]) : 0);

/** The radius of the corners of a picture of this size, in pixels. */
export const radiusOf = (size: Size, frame: Frame | null): number =>
  frame ? Math.min(hundredths(size, CORNERS[frame.corners]), size.width / 2, size.height / 2) : 0;

/** A picture with the space around it. */
export function framed(content: Rect, frame: Frame | null): Rect {
  const padding = paddingOf(content, frame);
  const { x, y, width, height } = content;
  return { x: x - padding, y: y - padding, width: width + 2 * padding, height: height + 2 * padding };
}

/** Whether a frame makes an opaque picture transparent, at its edges or only at its corners. */
export const isTransparentFrame = (frame: Frame | null): boolean =>
  frame?.background === 'none' && (frame.padding !== 'none' || frame.corners !== 'none');

/** Whether a frame leaves a transparent picture transparent. */
export const hasBackground = (frame: Frame | null): boolean => frame !== null && frame.background !== 'none';
