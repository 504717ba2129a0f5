import { expect, test } from 'vitest';
import { callout } from '#renderer/editor/tools/callout.ts';
import { fontSize } from '#renderer/editor/tools/looks.ts';
import { FIRST_STYLE, lineWidth } from '#renderer/editor/tools/tool.ts';
import { toolOf } from '#renderer/editor/tools/tools.ts';

const content = { x: 100, y: 50, width: 400, height: 300 };
const tip = { x: 480, y: 330 };
const mark = { ...callout.draw({ id: 1, from: tip, to: tip, trail: [tip], style: FIRST_STYLE, content, turns: 0 }), text: 'Look' };

test('a callout moves into the picture as its text grows, and keeps pointing at the same place', () => {
  for (const size of [
    { width: 40, height: 20 },
    { width: 300, height: 200 },
  ]) {
    const moved = callout.within?.({ ...mark, ...size }, content) ?? mark;
    const bounds = callout.bounds(moved);
    expect(bounds.x).toBeGreaterThanOrEqual(content.x);
    expect(bounds.y).toBeGreaterThanOrEqual(content.y);
    expect(bounds.x + bounds.width).toBeLessThanOrEqual(content.x + content.width);
    expect(bounds.y + bounds.height).toBeLessThanOrEqual(content.y + content.height);
    expect(moved.tip).toEqual(tip);
  }
});

test('lines of a callout are wrapped where its bubble is as wide as the picture, turned or not', () => {
  for (const [turns, across] of [
    [0, 400],
    [1, 300],
  ] as const) {
    const turned = { ...mark, turns };
    const wrap = callout.wrapAt?.(turned, content) ?? 0;
    const { width, height } = callout.bounds({ ...turned, width: wrap, height: 20 });
    expect(turns === 0 ? width : height).toBeCloseTo(across);
  }
});

test('text and steps can be read where the picture is shown 700 pixels wide, and fill no small or long one', () => {
  const sizeIn = (width: number, height: number) => {
    const line = lineWidth('medium', { width, height });
    const { width: step } = toolOf('step').bounds({ id: 1, kind: 'step', x: 0, y: 0, turns: 0, colour: '#e5342b', line });
    return [fontSize({ line }), step] as const;
  };
  for (const [width, height] of [
    [1600, 900],
    [3840, 2160],
  ] as const)
    for (const size of sizeIn(width, height)) expect((size * 700) / width).toBeGreaterThanOrEqual(14);
  for (const [width, height] of [
    [400, 300],
    [1200, 9000],
  ] as const)
    for (const size of sizeIn(width, height)) expect(size / width).toBeLessThan(0.08);
});
