import { expect, it, vi } from 'vitest';
import { createAttempts } from '#server/platform/jobs/attempts.ts';

const FAULT = new Error('input/output error');

function open() {
  const clock = { now: 0 };
  const log = { error: vi.fn() };
  const attempts = createAttempts<number>(log, 'couldn’t read it', () => clock.now);
  const fail = (key: number) =>
    attempts.run(key, async () => {
      throw FAULT;
    });
  return { clock, log, attempts, fail, succeed: (key: number) => attempts.run(key, async () => 'done') };
}

it('rests longer after each failure, up to an hour, and not at all after a success', async () => {
  const { clock, attempts, fail, succeed, log } = open();
  const rests: number[] = [];
  for (let i = 0; i < 12; i++) {
    if (i % 5 === 4) await succeed(2);
    expect(await fail(1)).toBeUndefined();
    const from = clock.now;
    while (attempts.resting().length > 0) clock.now += 10_000;
    rests.push((clock.now - from) / 1000);
  }
  expect(rests).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600]);
  expect(log.error).toHaveBeenCalledTimes(12);
  expect(log.error).toHaveBeenCalledWith({ err: FAULT, key: 1 }, 'couldn’t read it');
  expect(await succeed(1)).toEqual({ result: 'done' });
  await fail(1);
  clock.now += 10_000;
  expect(attempts.resting()).toEqual([]);
});

it('ends a run once many have failed in a row, and each further one until something succeeds', async () => {
  const { fail, succeed, attempts } = open();
  for (let key = 0; key < 9; key++) await fail(key);
  await expect(fail(9)).rejects.toBe(FAULT);
  await expect(fail(10)).rejects.toBe(FAULT);
  expect(attempts.resting()).toHaveLength(11);
  await succeed(11);
  expect(await fail(12)).toBeUndefined();
});
