import { expect, it } from 'vitest';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { createLease, EXPIRY_MS, isKept, keepLease, RENEW_MS } from '#server/platform/jobs/lease.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
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
