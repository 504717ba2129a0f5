import { describe, expect, it } from 'vitest';
import { type ArrowMark, type BoxMark, type CoverMark, type TextMark, UNCHANGED, withMark } from '#renderer/editor/marks/drawing.ts';
import { beginGesture, cropOf, markOf, type Situation } from '#renderer/editor/marks/gestures.ts';
import { moveMarkByStep, resizeCropByStep, resizeMarkByStep } from '#renderer/editor/marks/keyboard-transform.ts';
import {
  boundsOf,
  hitTest,
  hitTestHandles,
  isInvisiblySmall,
  moveMark,
  resizeMark,
  transformHandlesOf,
} from '#renderer/editor/marks/marks.ts';
import { FIRST_STYLE, lineWidth, newText, restyled, weightOf } from '#renderer/editor/tools.ts';

const SIZE = { width: 300, height: 200 };
const WHOLE = { x: 0, y: 0, ...SIZE };
const box: BoxMark = { id: 1, kind: 'box', x: 100, y: 50, width: 60, height: 40, colour: '#e5342b', line: 4, filled: false };
const arrow: ArrowMark = { id: 2, kind: 'arrow', from: { x: 10, y: 10 }, to: { x: 90, y: 10 }, colour: '#e5342b', line: 4 };
const cover: CoverMark = { id: 3, kind: 'blur', x: 0, y: 100, width: 50, height: 50 };
const text: TextMark = { id: 4, kind: 'text', x: 200, y: 100, width: 80, height: 20, text: 'hi', turns: 1, colour: '#141a1c', line: 3 };

describe('marks', () => {
  it('are found where they are drawn, the topmost first', () => {
    const found = (x: number, y: number) => hitTest([box, arrow, cover, text], { x, y }, 2)?.id;
    expect([found(100, 70), found(130, 70), found(50, 12), found(50, 40), found(25, 125)]).toEqual([1, undefined, 2, undefined, 3]);
    expect(hitTest([box, { ...box, id: 9, filled: true }], { x: 130, y: 70 }, 0)?.id).toBe(9);
  });

  it('have texts that extend in the direction they are read in', () => {
    expect(boundsOf(text)).toEqual({ x: 180, y: 100, width: 20, height: 80 });
    expect(boundsOf({ ...text, turns: 2 })).toEqual({ x: 120, y: 80, width: 80, height: 20 });
    expect(boundsOf({ ...text, turns: 3 })).toEqual({ x: 200, y: 20, width: 20, height: 80 });
    // A new one is upright, however the picture is turned.
    expect(newText(1, { x: 0, y: 0 }, 1, FIRST_STYLE, WHOLE).turns).toBe(3);
  });

  it('move with their middle inside the picture, by whole pixels', () => {
    expect(moveMark(box, { x: 10.4, y: -5 }, WHOLE)).toMatchObject({ x: 110, y: 45, width: 60 });
    expect(moveMark(box, { x: 900, y: 0 }, WHOLE)).toMatchObject({ x: 270 });
    expect(moveMark(arrow, { x: 5, y: 5 }, WHOLE)).toMatchObject({ from: { x: 15, y: 15 }, to: { x: 95, y: 15 } });
  });

  it('are resized by their handles; a dragged side may pass the other', () => {
    expect(transformHandlesOf(text, 0)).toEqual([]);
    expect(hitTestHandles(transformHandlesOf(box, 0), { x: 161, y: 91 }, 5)).toBe('se');
    expect(resizeMark(box, 'se', { x: 200, y: 100 })).toMatchObject({ x: 100, y: 50, width: 100, height: 50 });
    expect(resizeMark(box, 'n', { x: 7, y: 120 })).toMatchObject({ x: 100, y: 90, width: 60, height: 30 });
    expect(resizeMark(arrow, 'to', { x: 1, y: 2 })).toMatchObject({ from: arrow.from, to: { x: 1, y: 2 } });
  });

  it('have handles at their edges where there is room', () => {
    expect(transformHandlesOf(box, 41).map(({ type }) => type)).toEqual(['n', 's', 'nw', 'ne', 'sw', 'se']);
    expect(transformHandlesOf(box, 40)).toHaveLength(8);
  });

  it('are invisibly small after a click or an empty text', () => {
    expect(isInvisiblySmall({ ...box, width: 3 }, 4)).toBe(true);
    expect(isInvisiblySmall(box, 4)).toBe(false);
    expect(isInvisiblySmall({ ...arrow, to: arrow.from }, 4)).toBe(true);
    expect(isInvisiblySmall({ ...text, text: ' \n' }, 4)).toBe(true);
  });

  it('change their look, except those that hide', () => {
    expect(restyled(box, { colour: '#1c7ed6', filled: true }, WHOLE)).toMatchObject({ colour: '#1c7ed6', filled: true, line: 4 });
    const thick = restyled(arrow, { weight: 'thick' }, WHOLE);
    expect(thick).toMatchObject({ line: lineWidth('thick', SIZE) });
    expect(weightOf(lineWidth('medium', SIZE), SIZE)).toBe('medium');
    expect(restyled(cover, { colour: '#1c7ed6' }, WHOLE)).toBe(cover);
  });
});

describe('gestures', () => {
  const situation = (part: Partial<Situation>): Situation => ({
    drawing: withMark(UNCHANGED, box),
    size: SIZE,
    tool: 'select',
    selected: undefined,
    cropping: undefined,
    style: FIRST_STYLE,
    nextId: 7,
    hitThreshold: 6,
    minEdge: 30,
    ...part,
  });

  it('select and move, or move the view outside everything', () => {
    expect(beginGesture({ x: 100, y: 70 }, situation({}))).toMatchObject({ type: 'move', mark: box });
    expect(beginGesture({ x: 5, y: 5 }, situation({}))).toEqual({ type: 'pan' });
    expect(beginGesture({ x: 160, y: 90 }, situation({ selected: 1 }))).toMatchObject({ type: 'resize', handle: 'se' });
    // There is room inside a small mark to move it.
    const small = { ...cover, width: 12, height: 12 };
    const over = situation({ drawing: withMark(UNCHANGED, small), selected: 3 });
    expect(beginGesture({ x: 6, y: 106 }, over)).toMatchObject({ type: 'move' });
    expect(beginGesture({ x: 15, y: 115 }, over)).toMatchObject({ type: 'resize', handle: 'se' });
  });

  it('draw with a tool, on whole pixels inside what is left of the picture', () => {
    const now = situation({ tool: 'pixelate', drawing: { ...UNCHANGED, crop: { x: 20, y: 20, width: 100, height: 100 } } });
    const gesture = beginGesture({ x: 1, y: 30.5 }, now);
    expect(markOf(gesture, { x: 500, y: 60.2 }, now)).toEqual({ id: 7, kind: 'pixelate', x: 20, y: 30, width: 100, height: 31 });
  });

  it('draw above other marks, but move the one just drawn', () => {
    const now = situation({ tool: 'arrow' });
    expect(beginGesture({ x: 100, y: 70 }, now)).toMatchObject({ type: 'draw' });
    expect(beginGesture({ x: 115, y: 51 }, { ...now, selected: 1 })).toMatchObject({ type: 'move' });
  });

  it('write where the text tool is pressed, or change a text that is there', () => {
    const now = situation({ tool: 'text', drawing: withMark(UNCHANGED, text) });
    expect(beginGesture({ x: 190, y: 120 }, now)).toMatchObject({ type: 'text', mark: text });
    expect(beginGesture({ x: 20, y: 20 }, now)).toEqual({ type: 'text', mark: undefined, at: { x: 20, y: 20 } });
  });

  it('crop by the handles, and move the crop inside the picture', () => {
    const cropping = { rect: { x: 50, y: 50, width: 100, height: 100 }, ratio: 'free', upright: false } as const;
    const now = situation({ tool: 'crop', cropping });
    const resize = beginGesture({ x: 148, y: 151 }, now);
    expect(cropOf(resize, { x: 170, y: 900 }, now)).toEqual({ x: 50, y: 50, width: 120, height: 150 });
    const move = beginGesture({ x: 100, y: 100 }, now);
    expect(cropOf(move, { x: 0, y: 400 }, now)).toEqual({ x: 0, y: 100, width: 100, height: 100 });
    expect(beginGesture({ x: 5, y: 5 }, now)).toEqual({ type: 'pan' });
  });
});

describe('keys', () => {
  it('move and grow marks in the directions that are seen', () => {
    const shown = { turns: 1, size: SIZE, content: WHOLE } as const;
    // Turned clockwise, right on the screen is up in the picture.
    expect(moveMarkByStep(box, { x: 5, y: 0 }, shown)).toMatchObject({ x: 100, y: 45 });
    expect(resizeMarkByStep(box, { x: 0, y: 10 }, shown)).toMatchObject({ x: 100, y: 50, width: 70, height: 40 });
    expect(resizeMarkByStep(box, { x: 10, y: 0 }, shown)).toMatchObject({ x: 100, y: 40, width: 60, height: 50 });
    expect(resizeMarkByStep(arrow, { x: 0, y: 3 }, { ...shown, turns: 0 })).toMatchObject({ to: { x: 90, y: 13 } });
  });

  it('resize a crop, which keeps its shape', () => {
    const shown = { turns: 0, size: SIZE, content: WHOLE } as const;
    const crop = { x: 50, y: 50, width: 100, height: 50 };
    expect(resizeCropByStep(crop, { x: 10, y: 0 }, undefined, shown)).toEqual({ ...crop, width: 110 });
    const shaped = resizeCropByStep(crop, { x: -20, y: 0 }, 2, shown);
    expect([shaped.width, shaped.height]).toEqual([80, 40]);
  });
});
