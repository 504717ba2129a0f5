import { expect, it } from 'vitest';
import { ProgressMeter } from '#api/progress-meter.ts';

function meterIn() {
  let now = 0;
  const meter = new ProgressMeter(() => now);
  /** The speed once `sent` bytes in total have been sent at a time in milliseconds. */
  const at = (sent: number, time: number) => {
    now = time;
    meter.set(sent);
    return meter.read().bytesPerSecond;
  };
  return { meter, at };
}

it('has no speed until a fifth of a second has passed', () => {
  const { meter, at } = meterIn();
  expect(at(500, 100)).toBeUndefined();
  expect(meter.read().sent).toBe(500);
  expect(at(1000, 1000)).toBe(1000);
});

it('smooths the speed across bursts', () => {
  const { at } = meterIn();
  expect(at(1000, 1000)).toBe(1000);
  expect(at(9000, 1100)).toBe(1000);
  expect(at(9000, 2000)).toBe(4500);
  expect(at(9000, 12_000)).toBe(0);
});

it('takes bytes back without a negative speed', () => {
  const { meter, at } = meterIn();
  at(1000, 1000);
  meter.add(-1000);
  expect(meter.read().sent).toBe(0);
  expect(at(0, 3000)).toBe(0);
});
