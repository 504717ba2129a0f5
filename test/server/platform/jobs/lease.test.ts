import { expect, it, vi } from 'vitest';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { createAttempts } from '#server/platform/jobs/attempts.ts';
import { createLease, EXPIRY_MS, isKept, keepLease, RENEW_MS } from '#server/platform/jobs/lease.ts';
import { createScheduler, type Job } from '#server/platform/jobs/scheduler.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';

/** Two services that want the same lease, with a clock that moves only on command. */
async function two() {
  const time = { now: 0 };
  const clock = () => time.now;
  const [first, second] = (await twoNodes()).map((db) => createLease(db.as('job'), 'jobs', clock)) as [
    ReturnType<typeof createLease>,
    ReturnType<typeof createLease>,
  ];
  return { first, second, time };
}

it('is held by one service, which keeps it while it renews it', async () => {
  const { first, second, time } = await two();
  await Promise.all([first.renew(), second.renew()]);
  const holders = [first, second].filter((lease) => lease.held());
  expect(holders).toHaveLength(1);
  const [holder, other] = first.held() ? [first, second] : [second, first];
  for (; time.now < 4 * EXPIRY_MS; time.now += RENEW_MS) {
    await holder.renew();
    await other.renew();
    expect([holder.held() !== undefined, other.held()]).toEqual([true, undefined]);
  }
});

it('ends before another service takes it', async () => {
  const { first, second, time } = await two();
  await first.renew();
  await second.renew();
  const held = first.held();
  time.now += EXPIRY_MS - 1;
  expect([first.held(), held?.aborted]).toEqual([undefined, true]);
  await second.renew();
  expect(second.held()).toBeUndefined();
  time.now += 1;
  await second.renew();
  expect(second.held()).toBeDefined();
  await first.renew();
  expect(first.held()).toBeUndefined();
});

it('is free at once when its holder stops', async () => {
  const { first, second } = await two();
  await first.renew();
  await second.renew();
  await first.release();
  await second.renew();
  expect([first.held(), second.held()?.aborted]).toEqual([undefined, false]);
});

it('looks held to other services only while its holder renews it', async () => {
  const [db] = await twoNodes();
  const lease = createLease(db.as('job'), 'jobs');
  let waited = 0;
  const alone = () => isKept(db.read, 'jobs', async (milliseconds) => (waited += milliseconds));
  expect(await alone()).toBe(false);
  await lease.renew();
  expect(await isKept(db.read, 'jobs', () => lease.renew())).toBe(true);
  expect(waited).toBe(0);
  // Its holder has failed.
  expect(await alone()).toBe(false);
  expect(waited).toBe(EXPIRY_MS);
  await lease.release();
  expect(await alone()).toBe(false);
  expect(waited).toBe(EXPIRY_MS);
});

it('doesn’t keep a service from stopping when the database isn’t available', async () => {
  const [db] = await twoNodes();
  let isDown = false;
  const own = db.as('job');
  const failing: WritableDatabase = { ...own, write: (work) => (isDown ? Promise.reject(new Error('connection lost')) : own.write(work)) };
  const warnings: unknown[] = [];
  const lease = await keepLease(createLease(failing, 'jobs'), { warn: (...args: unknown[]) => void warnings.push(args) });
  isDown = true;
  await lease.stop();
  expect(warnings).toHaveLength(1);
});

it('lets a job run where it is held, other jobs everywhere, and ends the run of a service that loses it', async () => {
  const tasks: (() => void)[] = [];
  const later = (task: () => void) => {
    tasks.push(task);
    return () => undefined;
  };
  const runs: string[] = [];
  const jobs = [
    {
      name: 'once',
      everySeconds: 3_600,
      run: async (signal: AbortSignal) => {
        runs.push('once');
        while (!signal.aborted) await new Promise(setImmediate);
        runs.push('ended');
        return {};
      },
    },
    { name: 'each', everySeconds: 3_600, everywhere: true as const, run: async () => ({ done: runs.push('each') }) },
  ];
  const log = { info: () => undefined, error: () => undefined };
  let lost: AbortController | undefined;
  const scheduler = createScheduler(jobs, log, { later, lease: { held: () => lost?.signal } });
  const due = async () => {
    for (const task of tasks.splice(0)) task();
    await new Promise(setImmediate);
  };
  scheduler.start();
  await due();
  expect(runs).toEqual(['each']);
  lost = new AbortController();
  await due();
  expect(runs).toEqual(['each', 'once', 'each']);
  lost.abort();
  await expect.poll(() => runs.at(-1)).toBe('ended');
  await scheduler.stop();
});

/** A clock that moves only on command, and a recorded log. */
function bench(job: Partial<Job>) {
  const waiting: { task: () => void; milliseconds: number }[] = [];
  const lines: Record<string, unknown>[] = [];
  const note = (line: Record<string, unknown>) => void lines.push(line);
  const later = (task: () => void, milliseconds: number) => {
    const entry = { task, milliseconds };
    waiting.push(entry);
    return () => void waiting.splice(waiting.indexOf(entry), 1);
  };
  const whole = { name: 'work', everySeconds: 60, run: async () => ({}), ...job };
  const log = { info: note, error: note } as unknown as Parameters<typeof createScheduler>[1];
  return { scheduler: createScheduler([whole], log, { later }), waiting, lines };
}

it('repeats a job, with the interval counted from the end of a run', async () => {
  let runs = 0;
  let finish: (() => void) | undefined;
  const { scheduler, waiting } = bench({
    run: () =>
      new Promise((resolve) => {
        runs++;
        finish = () => resolve({});
      }),
  });
  scheduler.start();
  for (let round = 1; round <= 3; round++) {
    const next = waiting.shift();
    expect(next?.milliseconds).toBe(round === 1 ? 2_000 : 60_000);
    next?.task();
    expect(runs).toBe(round);
    expect(waiting).toHaveLength(0);
    finish?.();
    await new Promise(setImmediate);
  }
});

it('never runs a job twice at once', async () => {
  let atOnce = 0;
  let most = 0;
  const { scheduler } = bench({
    run: async () => {
      most = Math.max(most, ++atOnce);
      await new Promise(setImmediate);
      atOnce--;
      return {};
    },
  });
  await Promise.all([scheduler.run('work'), scheduler.run('work'), scheduler.run('work')]);
  expect(most).toBe(1);
});

it('logs results and failures, and retries a failed job', async () => {
  let runs = 0;
  const { scheduler, waiting, lines } = bench({
    run: async () => {
      if (++runs === 1) throw new Error('the disk is gone');
      return { removed: 3 };
    },
  });
  scheduler.start();
  for (let round = 0; round < 2; round++) {
    waiting.shift()?.task();
    await new Promise(setImmediate);
  }
  expect(lines).toMatchObject([
    { job: 'work', err: { message: 'the disk is gone' } },
    { job: 'work', removed: 3 },
  ]);
});

it('aborts the current run when stopped, waits for it, and starts no other', async () => {
  let ended = false;
  const { scheduler, waiting } = bench({
    run: async (signal) => {
      while (!signal.aborted) await new Promise(setImmediate);
      await new Promise(setImmediate);
      ended = true;
      return {};
    },
  });
  scheduler.start();
  waiting.shift()?.task();
  await scheduler.stop();
  expect(ended).toBe(true);
  await new Promise(setImmediate);
  expect(waiting).toHaveLength(0);
});

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
