import { expect, test } from 'vitest';
import type { Point, Rect } from '#renderer/editor/geometry.ts';
import type { Ratio } from '#renderer/editor/marks/crop.ts';
import { UNCHANGED } from '#renderer/editor/marks/drawing.ts';
import { beginGesture, cropOf, type Situation } from '#renderer/editor/marks/gestures.ts';
import { FIRST_STYLE } from '#renderer/editor/tools/tool.ts';
import { type Mark, type MarkKind, type Tool, toolOf } from '#renderer/editor/tools/tools.ts';

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

test('a tool draws, wherever what was drawn before is', () => {
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

test('a corner of what was just drawn is grabbed where its handle is visible, and not beside it', () => {
  const box = drawn('box', START, END);
  expect(begins(box, 'box', { x: 203, y: 163 })).toBe('resize');
  expect(begins(box, 'box', { x: 208, y: 160 })).toBe('draw');
  expect(begins(box, 'select', { x: 208, y: 160 })).toBe('resize');
});

test('a crop is drawn across the picture while it is still the whole of it', () => {
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
