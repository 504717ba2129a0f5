import { BACKGROUNDS, CORNERS, FIRST_FRAME, type Frame, PADDINGS } from '#renderer/editor/marks/frame.ts';
import { COLOURS, type Style, WEIGHTS } from '#renderer/editor/tools/tool.ts';
import { FIRST_STYLES, MARK_KINDS, type MarkKind, type Styles } from '#renderer/editor/tools/tools.ts';

const KEY = 'pixdock.editor';

/** What the editor keeps from one picture to the next. */
export interface Remembered {
  readonly styles: Styles;
  /** The frame that is put around a picture next. */
  readonly frame: Frame;
}

/** What a stored text remembers, as far as this release knows it. */
export function parseRemembered(text: string | null): Remembered {
  const stored = objectIn(text);
  const styles = Object.fromEntries(MARK_KINDS.map((kind) => [kind, parseStyle(stored.styles?.[kind], FIRST_STYLES[kind])])) as Styles;
  return { styles, frame: parseFrame(stored.frame) };
}

interface Stored {
  styles?: Partial<Record<MarkKind, Partial<Style>>>;
  frame?: Partial<Frame>;
}

function objectIn(text: string | null): Stored {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Stored) : {};
  } catch {
    return {};
  }
}

function parseStyle(stored: Partial<Style> | undefined, first: Style): Style {
  const { colour, weight } = stored ?? {};
  return {
    colour: colour && COLOURS.includes(colour) ? colour : first.colour,
    weight: weight && Object.hasOwn(WEIGHTS, weight) ? weight : first.weight,
    // An opaque box would be a surprise in the next picture.
    filled: first.filled,
  };
}

function parseFrame({ padding, background, corners, shadow }: Partial<Frame> = {}): Frame {
  return {
    padding: padding && Object.hasOwn(PADDINGS, padding) ? padding : FIRST_FRAME.padding,
    background: background && Object.hasOwn(BACKGROUNDS, background) ? background : FIRST_FRAME.background,
    corners: corners && Object.hasOwn(CORNERS, corners) ? corners : FIRST_FRAME.corners,
    shadow: typeof shadow === 'boolean' ? shadow : FIRST_FRAME.shadow,
  };
}

export function readRemembered(): Remembered {
  try {
    return parseRemembered(localStorage.getItem(KEY));
  } catch {
    // Storage is blocked.
    return parseRemembered(null);
  }
}

export function remember(remembered: Remembered): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(remembered));
  } catch {
    // Storage is blocked: it lasts until the editor is closed.
  }
}
