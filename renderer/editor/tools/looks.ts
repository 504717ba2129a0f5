import { theme } from '#renderer/theme/theme.ts';
import type { Colour, DrawnMark } from './tool.ts';

export const FONT = theme.fontFamily ?? 'sans-serif';
export const FONT_WEIGHT = '600';
export const LINE_HEIGHT = 1.25;

/** The size of a text, in pixels of the picture: a fiftieth of its width, so that it can be read where the picture is shown small. */
export const fontSize = ({ line }: Pick<DrawnMark, 'line'>) => line * 7;

const isLight = (colour: Colour) => colour === '#ffffff' || colour === '#f59f00' || colour === '#ffd43b';

/** The colour of text on a colour. */
export const inkOn = (colour: Colour): Colour => (isLight(colour) ? '#141a1c' : '#ffffff');

/** An outline around each mark, so that it is visible on any picture. */
export const seamOf = (colour: Colour) => (isLight(colour) ? 'rgb(20 26 28 / 70%)' : 'rgb(255 255 255 / 85%)');
export const seamWidth = (line: number) => Math.max(1, line * 0.3);

/** The strokes of a mark's line: the outline, and the line above it. */
export const strokesOf = ({ colour, line }: Pick<DrawnMark, 'colour' | 'line'>) => [
  { stroke: seamOf(colour), strokeWidth: line + 2 * seamWidth(line) },
  { stroke: colour, strokeWidth: line },
];
