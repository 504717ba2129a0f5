import { expect, test, vi } from 'vitest';
import { createDrawing } from '#main/tray/drawing.ts';

test('draws a changed state at most four times a second, and an equal one not at all', () => {
  vi.useFakeTimers();
  let state = { left: 0 };
  const draw = vi.fn();
  const redraw = createDrawing(() => state, draw);
  expect(draw).toHaveBeenCalledTimes(1);
  for (let step = 1; step <= 1_000; step += 1) {
    state = { left: step };
    redraw();
    vi.advanceTimersByTime(1);
  }
  expect(draw.mock.calls.length).toBeLessThanOrEqual(6);
  vi.advanceTimersByTime(250);
  expect(draw).toHaveBeenLastCalledWith({ left: 1_000 });
  const drawn = draw.mock.calls.length;
  state = { left: 1_000 };
  redraw();
  vi.advanceTimersByTime(1_000);
  expect(draw).toHaveBeenCalledTimes(drawn);
  vi.useRealTimers();
});
