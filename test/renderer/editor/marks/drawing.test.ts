import { describe, expect, it } from 'vitest';
import { type HistoryAction, historyOf, historyReducer } from '#renderer/editor/edit.ts';
import type { Point, Rect } from '#renderer/editor/geometry.ts';
import { moveCrop, type Ratio, ratioOf, resizeCrop, roundedCrop, withRatio } from '#renderer/editor/marks/crop.ts';
import { cropped, isUnchanged, markAfter, resultRect, turned, UNCHANGED, withMark, withoutMark } from '#renderer/editor/marks/drawing.ts';
import { FIRST_FRAME, isTransparentFrame, radiusOf } from '#renderer/editor/marks/frame.ts';
import { beginGesture, cropOf, type Situation } from '#renderer/editor/marks/gestures.ts';
import type { BoxMark } from '#renderer/editor/tools/box.ts';
import { FIRST_STYLE } from '#renderer/editor/tools/tool.ts';
import { type Mark, type MarkKind, type Tool, toolOf } from '#renderer/editor/tools/tools.ts';

const SIZE = { width: 300, height: 200 };
const box = (id: number, x = 0): BoxMark => ({
  id,
  kind: 'box',
  x,
  y: 0,
  width: 10,
  height: 10,
  colour: '#e5342b',
  line: 2,
  filled: false,
});

describe('a drawing', () => {
  it('has the size of its crop, turned', () => {
    expect(resultRect(UNCHANGED, SIZE)).toEqual({ x: 0, y: 0, ...SIZE });
    const drawing = turned(cropped(UNCHANGED, { x: 10, y: 10, width: 100, height: 50 }, SIZE), 1);
    expect(resultRect(drawing, SIZE)).toEqual({ x: 140, y: 10, width: 50, height: 100 });
  });

  it('grows by the space of its frame, on all sides', () => {
    const frame = { ...FIRST_FRAME, padding: 'small' } as const;
    expect(resultRect({ ...UNCHANGED, frame }, SIZE)).toEqual({ x: -12, y: -12, width: 324, height: 224 });
    expect(isUnchanged({ ...UNCHANGED, frame })).toBe(false);
    expect(radiusOf({ width: 4, height: 900 }, { ...frame, corners: 'large' })).toBe(2);
    const clear = { ...frame, background: 'none' } as const;
    const bare = { ...clear, padding: 'none', corners: 'none' } as const;
    expect([null, frame, clear, bare, { ...bare, corners: 'small' } as const].map(isTransparentFrame)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it('is unchanged again after a full turn, without marks, and when cropped to the whole', () => {
    const round = [1, 1, 1, 1].reduce((drawing) => turned(drawing, 1), UNCHANGED);
    expect(isUnchanged(round)).toBe(true);
    expect(isUnchanged(turned(UNCHANGED, -1))).toBe(false);
    expect(isUnchanged(cropped(UNCHANGED, { x: 0, y: 0, ...SIZE }, SIZE))).toBe(true);
    expect(isUnchanged(withoutMark(withMark(UNCHANGED, box(1)), 1))).toBe(true);
  });

  it('keeps the order of its marks when one changes, and goes through them in turn', () => {
    const drawing = [box(1), box(2), box(1, 50)].reduce(withMark, UNCHANGED);
    expect(drawing.marks.map(({ id }) => id)).toEqual([1, 2]);
    expect(drawing.marks[0]).toMatchObject({ x: 50 });
    expect([markAfter(drawing, undefined), markAfter(drawing, 1), markAfter(drawing, 2)].map((mark) => mark?.id)).toEqual([1, 2, 1]);
    expect(markAfter(UNCHANGED, undefined)).toBeUndefined();
  });
});

describe('the history', () => {
  const add = (id: number, x?: number, step?: string): HistoryAction => ({
    type: 'change',
    change: (drawing) => withMark(drawing, box(id, x)),
    step,
  });
  const empty = historyOf(UNCHANGED);
  const steps = (...actions: HistoryAction[]) => actions.reduce(historyReducer, empty);
  const ids = (history: typeof empty) => history.present.marks.map(({ id }) => id);

  it('undoes and redoes steps, and a new one forgets those undone', () => {
    const undone = steps(add(1), add(2), { type: 'undo' });
    expect(ids(undone)).toEqual([1]);
    expect(ids(historyReducer(undone, { type: 'redo' }))).toEqual([1, 2]);
    const other = historyReducer(undone, add(3));
    expect(ids(historyReducer(other, { type: 'redo' }))).toEqual([1, 3]);
  });

  it('does nothing at its ends, and takes no step that changes nothing', () => {
    expect(steps({ type: 'undo' }, { type: 'redo' })).toBe(empty);
    expect(steps({ type: 'change', change: (drawing) => drawing })).toBe(empty);
  });

  it('undoes steps of the same name together, but not those before and after others', () => {
    const history = steps(add(1), add(1, 5, 'nudge'), add(1, 6, 'nudge'), add(1, 7, 'nudge'));
    const undone = historyReducer(history, { type: 'undo' });
    expect(undone.present.marks).toEqual([box(1)]);
    const apart = steps(add(1, 5, 'nudge'), { type: 'undo' }, { type: 'redo' }, add(1, 6, 'nudge'), { type: 'undo' });
    expect(apart.present.marks).toEqual([box(1, 5)]);
  });
});

describe('crop', () => {
  const SIZE = { width: 400, height: 300 };
  const CROP = { x: 100, y: 100, width: 200, height: 100 };

  describe('a crop', () => {
    it('stays in the picture and keeps a least size', () => {
      expect(resizeCrop(CROP, 'nw', { x: -50, y: 50 }, SIZE, undefined)).toEqual({ x: 0, y: 50, width: 300, height: 150 });
      expect(resizeCrop(CROP, 'e', { x: 0, y: 0 }, SIZE, undefined)).toEqual({ x: 100, y: 100, width: 8, height: 100 });
      expect(moveCrop(CROP, { x: 900, y: -900 }, SIZE)).toEqual({ ...CROP, x: 200, y: 0 });
    });

    it('keeps its shape from every handle, inside the picture', () => {
      for (const handle of ['n', 's', 'e', 'w', 'nw', 'ne', 'sw', 'se'] as const)
        for (const to of [
          { x: 0, y: 0 },
          { x: 399, y: 299 },
          { x: 210, y: 160 },
        ]) {
          const { x, y, width, height } = resizeCrop(CROP, handle, to, SIZE, 2);
          expect(width / height).toBeCloseTo(2);
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9);
          expect(x + width).toBeLessThanOrEqual(400 + 1e-9);
          expect(y + height).toBeLessThanOrEqual(300 + 1e-9);
        }
      // The opposite corner stays.
      const smaller = resizeCrop(CROP, 'nw', { x: 200, y: 150 }, SIZE, 2);
      expect([smaller.x + smaller.width, smaller.y + smaller.height]).toEqual([300, 200]);
    });

    it('takes the largest rectangle of a shape, as it is seen', () => {
      expect(withRatio({ x: 0, y: 0, ...SIZE }, 1)).toEqual({ x: 50, y: 0, width: 300, height: 300 });
      const seen = (upright: boolean, sideways: boolean) => ratioOf('wide', SIZE, { upright, sideways });
      expect([seen(false, false), seen(true, true)]).toEqual([16 / 9, 16 / 9]);
      expect([seen(true, false), seen(false, true)]).toEqual([9 / 16, 9 / 16]);
      expect(ratioOf('original', SIZE, { upright: true, sideways: true })).toBeCloseTo(4 / 3);
      expect(ratioOf('free', SIZE, { upright: true, sideways: true })).toBeUndefined();
    });

    it('is rounded to whole pixels that exist', () => {
      expect(roundedCrop({ x: 0.4, y: 99.6, width: 0.2, height: 200.7 }, SIZE)).toEqual({ x: 0, y: 99, width: 1, height: 201 });
    });
  });
});

describe('gestures', () => {
  const SIZE = { width: 400, height: 300 };
  const CONTENT = { x: 0, y: 0, ...SIZE };

  function drawn(kind: MarkKind, from: Point, to: Point): Mark {
    return toolOf(kind).draw({ id: 1, from, to, trail: [from, to], style: FIRST_STYLE, content: CONTENT, turns: 0 });
  }

  /** A picture with one mark that is selected. */
  const situation = (mark: Mark | undefined, tool: Tool): Situation => ({
    drawing: { ...UNCHANGED, marks: mark ? [mark] : [] },
    size: SIZE,
    tool,
    selected: mark?.id,
    cropping: undefined,
    style: FIRST_STYLE,
    hitThreshold: 10,
    handleRadius: 7,
    snapThreshold: 0,
    minEdge: 44,
    isConstrained: false,
  });
  const [START, END] = [
    { x: 100, y: 100 },
    { x: 200, y: 160 },
  ];
  const begins = (mark: Mark, tool: Tool, at: Point) => beginGesture(at, situation(mark, tool)).type;

  it('a tool draws, wherever what was drawn before is', () => {
    for (const kind of ['arrow', 'line', 'pen', 'highlighter'] as const) {
      const mark = drawn(kind, START, END);
      for (const at of [START, END, { x: 150, y: 130 }]) {
        expect(begins(mark, kind, at), kind).toBe('draw');
        expect(begins(mark, 'select', at), kind).not.toBe('draw');
      }
    }
    const cover = drawn('cover', START, END);
    expect(begins(cover, 'cover', { x: 150, y: 130 })).toBe('draw');
    expect(begins(cover, 'select', { x: 150, y: 130 })).toBe('move');
    expect(begins(cover, 'arrow', END)).toBe('draw');
  });

  it('a corner of what was just drawn is grabbed where its handle is visible, and not beside it', () => {
    const box = drawn('box', START, END);
    expect(begins(box, 'box', { x: 203, y: 163 })).toBe('resize');
    expect(begins(box, 'box', { x: 208, y: 160 })).toBe('draw');
    expect(begins(box, 'select', { x: 208, y: 160 })).toBe('resize');
  });

  it('a crop is drawn across the picture while it is still the whole of it', () => {
    const crop = (rect: Rect, ratio: Ratio, from: Point, to: Point) => {
      const now = { ...situation(undefined, 'crop'), cropping: { rect, ratio, upright: false } };
      const gesture = beginGesture(from, now);
      return { type: gesture.type, rect: cropOf(gesture, to, now) };
    };
    const drawnFrom = (from: Point, to: Point, ratio: Ratio = 'free') => crop(CONTENT, ratio, from, to);
    const rect = { x: 100, y: 100, width: 100, height: 60 };
    expect(drawnFrom(START, END)).toEqual({ type: 'drawCrop', rect });
    expect(drawnFrom(END, START)).toEqual({ type: 'drawCrop', rect });
    expect(drawnFrom(START, { x: 900, y: 160 }).rect).toEqual({ ...rect, width: 300 });
    expect(drawnFrom(START, END, 'square').rect).toEqual({ ...rect, height: 100 });
    expect(drawnFrom(START, { x: 103, y: 102 }).rect).toEqual(CONTENT); // a click
    expect(drawnFrom({ x: 2, y: 2 }, END).type).toBe('resizeCrop');
    expect(crop(rect, 'free', { x: 150, y: 130 }, END).type).toBe('moveCrop');
  });
});
