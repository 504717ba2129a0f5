import { expect, it } from 'vitest';
import { Speedometer } from '#renderer/upload/speed.ts';
import { summarise } from '#renderer/upload/summary.ts';
import type { UploadItem } from '#renderer/upload/types.ts';

const item = (state: UploadItem['state'], size: number, sent: number, speed = 0): UploadItem => ({
  idempotencyKey: 'key',
  id: sent,
  file: { size } as File,
  name: 'a',
  user: undefined,
  albumId: undefined,
  state,
  sent,
  speed,
});

it('sums up uploads without failed and cancelled ones', () => {
  const items = [
    item('done', 100, 100),
    item('sending', 300, 100, 50),
    item('waiting', 100, 0),
    item('failed', 999, 5),
    item('cancelled', 999, 5),
  ];
  expect(summarise(items)).toEqual({ running: 2, done: 1, failed: 1, sentBytes: 200, totalBytes: 500, secondsLeft: 6 });
});

it('gives no time left before anything has been sent', () => {
  expect(summarise([item('waiting', 100, 0)]).secondsLeft).toBeUndefined();
});

it('smooths the speed across bursts', () => {
  const speedometer = new Speedometer(0);
  expect(speedometer.at(1000, 1000)).toBe(1000);
  expect(speedometer.at(9000, 1100)).toBe(1000);
  expect(speedometer.at(9000, 2000)).toBe(4500);
  expect(speedometer.at(9000, 12_000)).toBe(0);
});
