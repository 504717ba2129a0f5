import { describe, expect, it } from 'vitest';
import { TimeLeft } from '#renderer/upload/queue/time-left.ts';

const MB = 1_000_000;

/** Estimates once a second while files of 2 MB are sent three at a time; `at` gives the bytes done after so many seconds. */
function estimates(seconds: number, totalBytes: number, at: (second: number) => { done: number; processing: number }) {
  const timeLeft = new TimeLeft();
  return Array.from({ length: seconds + 1 }, (_, second) => {
    const { done, processing } = at(second);
    return timeLeft.at(second * 1000, { totalBytes, doneBytes: done, processingBytes: processing });
  });
}

describe('the time left', () => {
  it('is not given before it can be known', () => {
    const [first, second, third] = estimates(2, 100 * MB, (passed) => ({ done: passed * MB, processing: 0 }));
    expect([first, second, third]).toEqual([undefined, undefined, undefined]);
    const stuck = estimates(20, 100 * MB, () => ({ done: 0, processing: 6 * MB }));
    expect(stuck.at(-1)).toBeUndefined();
  });

  it('follows the service where processing takes longer than sending', () => {
    // Three files are always sent and not yet stored; one is stored each second.
    const seen = estimates(40, 100 * MB, (second) => ({ done: Math.floor(second) * 2 * MB, processing: 6 * MB }));
    for (const [second, left] of seen.entries()) if (second >= 4) expect(Math.abs((left ?? 0) - (50 - second))).toBeLessThan(5);
  });

  it('follows a slow network, and a change of its speed', () => {
    const done = (second: number) => (second <= 30 ? second * MB : 30 * MB + (second - 30) * 0.5 * MB);
    const seen = estimates(60, 100 * MB, (second) => ({ done: done(second), processing: 0 }));
    expect(seen[10]).toBeCloseTo(90, 0);
    expect(Math.abs((seen[60] ?? 0) - 110)).toBeLessThan(15);
  });

  it('doesn’t count the time that the queue waited', () => {
    const timeLeft = new TimeLeft();
    const work = (done: number) => ({ totalBytes: 100 * MB, doneBytes: done * MB, processingBytes: 0 });
    for (let second = 0; second <= 10; second += 1) timeLeft.at(second * 1000, work(second));
    timeLeft.skip(3_600_000, work(10));
    expect(timeLeft.at(3_601_000, work(11))).toBeCloseTo(89, 0);
  });
});
