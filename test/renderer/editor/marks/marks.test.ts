import { describe, expect, it } from 'vitest';
import { numberOf, UNCHANGED, withMark, withoutMark } from '#renderer/editor/marks/drawing.ts';
import { beginGesture, cropOf, drawnBy, passing, type Situation } from '#renderer/editor/marks/gestures.ts';
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
import type { BlurMark } from '#renderer/editor/tools/blur.ts';
import type { BoxMark, EllipseMark } from '#renderer/editor/tools/box.ts';
import type { CalloutMark } from '#renderer/editor/tools/callout.ts';
import type { StepMark } from '#renderer/editor/tools/step.ts';
import { type TextMark, text as textTool } from '#renderer/editor/tools/text.ts';
import { type Drag, FIRST_STYLE, lineWidth, weightOf } from '#renderer/editor/tools/tool.ts';
import { type ArrowMark, keyOf, type PenMark, restyled, TOOLS, toolOf } from '#renderer/editor/tools/tools.ts';

const SIZE = { width: 300, height: 200 };
const WHOLE = { x: 0, y: 0, ...SIZE };
const box: BoxMark = { id: 1, kind: 'box', x: 100, y: 50, width: 60, height: 40, colour: '#e5342b', line: 4, filled: false };
const arrow: ArrowMark = { id: 2, kind: 'arrow', from: { x: 10, y: 10 }, to: { x: 90, y: 10 }, colour: '#e5342b', line: 4 };
const cover: BlurMark = { id: 3, kind: 'blur', x: 0, y: 100, width: 50, height: 50 };
const text: TextMark = { id: 4, kind: 'text', x: 200, y: 100, width: 80, height: 20, text: 'hi', turns: 1, colour: '#141a1c', line: 3 };
const ellipse: EllipseMark = { ...box, id: 5, kind: 'ellipse' };
const pen: PenMark = { id: 6, kind: 'pen', points: [20, 160, 60, 160, 60, 190], colour: '#e5342b', line: 4 };
const step: StepMark = { id: 7, kind: 'step', x: 250, y: 30, turns: 0, colour: '#e5342b', line: 4 };
const callout: CalloutMark = { ...text, id: 8, kind: 'callout', turns: 0, tip: { x: 150, y: 150 } };

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
    const drag: Drag = { id: 1, from: { x: 0, y: 0 }, to: { x: 0, y: 0 }, trail: [], style: FIRST_STYLE, content: WHOLE, turns: 1 };
    expect(textTool.draw(drag).turns).toBe(3);
  });

  it('are hit on their lines: ellipses, strokes and steps where they are seen, spotlights below everything', () => {
    const found = (x: number, y: number) => hitTest([ellipse, pen, step, callout], { x, y }, 2)?.id;
    expect([found(130, 50), found(101, 51), found(130, 70), found(60, 175), found(40, 175), found(250, 41), found(233, 13)]).toEqual([
      5,
      undefined,
      undefined,
      6,
      undefined,
      7,
      undefined,
    ]);
    expect(hitTest([{ ...ellipse, filled: true }], { x: 130, y: 70 }, 0)?.id).toBe(5);
    expect(found(callout.x - 5, callout.y - 5)).toBe(8);
    const spotlight = { id: 9, kind: 'spotlight' as const, x: 0, y: 0, width: 300, height: 200 };
    expect(hitTest([cover, spotlight], { x: 25, y: 125 }, 0)?.id).toBe(3);
    expect(hitTest([cover, spotlight], { x: 80, y: 125 }, 0)?.id).toBe(9);
  });

  it('are steps with numbers without gaps, whatever is deleted', () => {
    const drawing = [step, box, { ...step, id: 10 }, { ...step, id: 11 }].reduce(withMark, UNCHANGED);
    const numbers = (now: typeof drawing) => now.marks.filter(({ kind }) => kind === 'step').map((mark) => numberOf(now, mark));
    expect(numbers(drawing)).toEqual([1, 2, 3]);
    expect(numbers(withoutMark(drawing, 7))).toEqual([1, 2]);
    const [, , label] = toolOf('step').shapes(step, 12);
    expect(label?.attrs.text).toBe('12');
  });

  it('have different keys', () => {
    expect(new Set(TOOLS.map(keyOf)).size).toBe(TOOLS.length);
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
    expect(resizeMark(callout, 'tip', { x: 1, y: 2 })).toMatchObject({ x: callout.x, tip: { x: 1, y: 2 } });
    expect(resizeMark(pen, 'se', { x: 100, y: 220 })).toMatchObject({ points: [20, 160, 100, 160, 100, 220] });
    // A straight stroke has no height to grow by.
    expect(resizeMark({ ...pen, points: [0, 5, 10, 5] }, 'e', { x: 20, y: 9 })).toMatchObject({ points: [0, 5, 20, 5] });
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
    expect(restyled(pen, { filled: true }, WHOLE)).toEqual(pen);
    expect(weightOf(lineWidth('medium', SIZE), SIZE)).toBe('medium');
    expect(restyled(cover, { colour: '#1c7ed6' }, WHOLE)).toEqual(cover);
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
    hitThreshold: 6,
    handleRadius: 4,
    snapThreshold: 0,
    isConstrained: false,
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
    expect(drawnBy(gesture, { x: 500, y: 60.2 }, now)?.mark).toEqual({ id: 1, kind: 'pixelate', x: 20, y: 30, width: 100, height: 31 });
  });

  it('draw above other marks, the one just drawn included', () => {
    const now = situation({ tool: 'arrow' });
    expect(beginGesture({ x: 100, y: 70 }, now)).toMatchObject({ type: 'draw' });
    expect(beginGesture({ x: 115, y: 51 }, { ...now, selected: 1 })).toMatchObject({ type: 'draw' });
  });

  it('write where the text tool is pressed, or change a text that is there', () => {
    const now = situation({ tool: 'text', drawing: withMark(UNCHANGED, text) });
    expect(beginGesture({ x: 190, y: 120 }, now)).toMatchObject({ type: 'write', mark: text });
    expect(drawnBy(beginGesture({ x: 20, y: 20 }, now), { x: 22, y: 21 }, now)?.mark).toMatchObject({ kind: 'text', x: 22, y: 21 });
    // A callout points at where it was begun; after a click, its bubble is beside that.
    const pointing = situation({ tool: 'callout' });
    const begun = beginGesture({ x: 20, y: 150 }, pointing);
    const tip = { x: 20, y: 150 };
    expect(drawnBy(begun, { x: 200, y: 20 }, pointing)?.mark).toMatchObject({ kind: 'callout', tip, x: 200, y: 20 });
    const clicked = drawnBy(begun, tip, pointing)?.mark;
    expect(clicked).toMatchObject({ tip });
    expect(clicked).not.toMatchObject(tip);
  });

  it('keep the way of a freehand line, but not every pixel of it', () => {
    const now = situation({ tool: 'pen' });
    const way = [11, 30, 400].map((x) => ({ x, y: 20 }));
    const gesture = way.reduce((before, point) => passing(before, point, 2, now), beginGesture({ x: 10, y: 20 }, now));
    expect(drawnBy(gesture, { x: 30, y: 60 }, now)?.mark).toMatchObject({ points: [10, 20, 30, 20, 300, 20, 30, 60] });
    expect(drawnBy(gesture, { x: 60, y: 24 }, { ...now, isConstrained: true })?.mark).toMatchObject({ points: [10, 20, 60.2, 20] });
  });

  it('align what is drawn, moved and resized with the picture and its marks, and say with what', () => {
    const now = situation({ tool: 'box', snapThreshold: 5 });
    const gesture = beginGesture({ x: 2, y: 47 }, now);
    const drawn = drawnBy(gesture, { x: 163, y: 102 }, now);
    expect(drawn?.mark).toMatchObject({ x: 0, y: 50, width: 160, height: 50 });
    expect(drawn?.guides).toEqual([
      { axis: 'x', at: 160 },
      { axis: 'y', at: 100 },
    ]);
    const moved = drawnBy({ type: 'move', mark: box, from: { x: 0, y: 0 } }, { x: 18, y: 90 }, now);
    expect(moved?.mark).toMatchObject({ x: 120, y: 140 });
    // The middle of the picture, and only along the side that moves.
    const wider = drawnBy({ type: 'resize', mark: box, handle: 'e' }, { x: 148, y: 98 }, now);
    expect(wider).toMatchObject({ mark: { width: 50, height: 40 }, guides: [{ axis: 'x', at: 150 }] });
    expect(drawnBy({ type: 'resize', mark: box, handle: 'e' }, { x: 148, y: 98 }, { ...now, snapThreshold: 0 })?.guides).toEqual([]);
  });

  it('draw squares, and lines in eight directions', () => {
    const draw = (tool: 'box' | 'arrow') => {
      const now = situation({ tool, isConstrained: true });
      return drawnBy(beginGesture({ x: 100, y: 100 }, now), { x: 40, y: 90 }, now)?.mark;
    };
    expect(draw('box')).toMatchObject({ x: 40, y: 40, width: 60, height: 60 });
    const { from, to } = draw('arrow') as ArrowMark;
    expect([from, Math.round(to.x), Math.round(to.y)]).toEqual([{ x: 100, y: 100 }, 39, 100]);
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
    expect(resizeMarkByStep(callout, { x: 0, y: 3 }, shown)).toMatchObject({ tip: { x: 153, y: 150 } });
    expect(resizeMarkByStep(step, { x: 0, y: 3 }, shown)).toBe(step);
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
