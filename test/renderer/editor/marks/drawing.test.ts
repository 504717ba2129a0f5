import { describe, expect, it } from 'vitest';
import { type HistoryAction, historyOf, historyReducer } from '#renderer/editor/edit.ts';
import { cropped, isUnchanged, markAfter, resultRect, turned, UNCHANGED, withMark, withoutMark } from '#renderer/editor/marks/drawing.ts';
import { FIRST_FRAME, isTransparentFrame, radiusOf } from '#renderer/editor/marks/frame.ts';
import type { BoxMark } from '#renderer/editor/tools/box.ts';

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
