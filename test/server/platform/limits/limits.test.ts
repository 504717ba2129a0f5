import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '#server/platform/db/database.ts';
import { type Counter, type CounterOptions, requirePoint, requirePointsLeft } from '#server/platform/limits/counter.ts';
import { forgetLimits, openLimits } from '#server/platform/limits/limits.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';
import { newDatabase, onPostgres } from '#test/helpers/service/data/database.ts';

const LOG = pino({ level: 'silent' });
const WINDOW = { points: 3, duration: 300 };

/** Limits in a database that can be opened again. */
async function stored() {
  const target = await newDatabase();
  let db = await openDatabase(target);
  const open = () => openLimits(db, { sign: (purpose, text) => `${purpose}:${Buffer.from(text).toString('hex')}` }, LOG);
  let limits = await open();
  onTestFinished(async () => {
    await limits.stop();
    await db.close();
  });
  return {
    counter: (options: Partial<CounterOptions> = {}) => limits.counter('uploads', { ...WINDOW, ...options }),
    flush: () => limits.flush(),
    rows: () => db.read.selectFrom('limits').selectAll().execute(),
    forge: (expires_at: number) => db.as('job').write((queries) => queries.updateTable('limits').set({ expires_at }).execute()),
    forget: (now: number) => forgetLimits(db.as('job'), now),
    /** Writes made since the last call. */
    writes() {
      const as = vi.spyOn(db, 'as');
      return () => as.mock.calls.length;
    },
    /** Opens everything again; after a crash, without what is stored at the end. */
    async restart(crash = false) {
      if (!crash) await limits.stop();
      await db.close();
      db = await openDatabase(target);
      limits = await open();
    },
  };
}

it('continues counting after a restart, for the rest of the window', async () => {
  const { counter, restart } = await stored();
  for (let i = 0; i < 3; i++) await counter().consume('ada');
  const before = await counter().get('ada');
  await restart();
  await expect(counter().consume('ada')).rejects.toMatchObject({ consumedPoints: 4 });
  expect((await counter().get('ada'))?.msBeforeNext).toBeLessThanOrEqual(before?.msBeforeNext as number);
  expect(await counter().consume('bea')).toMatchObject({ consumedPoints: 1 });
});

it('never counts longer than a window, whatever is stored', async () => {
  const { counter, flush, restart, forge } = await stored();
  await counter().consume('ada');
  await flush();
  await forge(9e15);
  await restart(true);
  expect((await counter().get('ada'))?.msBeforeNext).toBeLessThanOrEqual(300_000);
});

it('stores durable events before they resolve, and takes back what was deleted', async () => {
  const { counter, restart } = await stored();
  await counter({ durable: true }).penalty('ada');
  await counter({ durable: true }).penalty('ada');
  await restart(true);
  expect(await counter({ durable: true }).get('ada')).toMatchObject({ consumedPoints: 2 });
  await counter({ durable: true }).delete('ada');
  await restart();
  expect(await counter({ durable: true }).get('ada')).toBeNull();
});

// Services that share a database count in it, not in memory.
it.skipIf(onPostgres)('writes others in one batch, not one by one', async () => {
  const { counter, flush, rows, writes } = await stored();
  const written = writes();
  for (let i = 0; i < 200; i++) await counter().consume(`user ${i}`);
  expect(written()).toBe(0);
  await flush();
  expect([written(), (await rows()).length]).toEqual([1, 200]);
  await flush();
  expect(written()).toBe(1);
});

it('stores neither addresses nor names', async () => {
  const { counter, rows } = await stored();
  await counter({ durable: true }).penalty('ada 192.0.2.7');
  expect(JSON.stringify(await rows())).not.toMatch(/ada|192\.0\.2\.7/);
});

it.skipIf(onPostgres)('forgets the keys counted longest ago when there are too many', async () => {
  const { counter, flush, rows } = await stored();
  for (let i = 0; i < 10_010; i++) void counter().consume(`network ${i}`);
  expect(await counter().get('network 9')).toBeNull();
  expect(await counter().get('network 10')).toMatchObject({ consumedPoints: 1 });
  await flush();
  expect(await rows()).toHaveLength(10_000);
});

it.skipIf(onPostgres)('forgets none of those that clients can’t make up', async () => {
  const { counter, flush, rows, restart } = await stored();
  const all = { keepsAll: true };
  for (let i = 0; i < 10_010; i++) void counter(all).consume(`account ${i}`);
  await flush();
  expect(await rows()).toHaveLength(10_010);
  await restart();
  expect(await counter(all).get('account 0')).toMatchObject({ consumedPoints: 1 });
});

it('removes what has expired', async () => {
  const { counter, flush, rows, forget } = await stored();
  await counter().consume('ada');
  await flush();
  expect(await forget(Date.now())).toBe(0);
  expect(await forget(Date.now() + 300_000)).toBe(1);
  expect(await rows()).toEqual([]);
});

describe('on a database that several services share', () => {
  async function shared(options: Partial<CounterOptions> = {}) {
    const sign = (purpose: string, text: string) => `${purpose}:${Buffer.from(text).toString('hex')}`;
    const nodes = await Promise.all((await twoNodes()).map((db) => openLimits(db, { sign }, LOG)));
    onTestFinished(async () => void (await Promise.all(nodes.map((limits) => limits.stop()))));
    const [here, there] = nodes.map((limits) => limits.counter('uploads', { ...WINDOW, ...options })) as [Counter, Counter];
    return { here, there };
  }

  it('counts events of all services together, exactly', async () => {
    const { here, there } = await shared({ points: 10 });
    const tries = Array.from({ length: 30 }, (_, number) => (number % 2 ? here : there).consume('ada'));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await here.get('ada')).toMatchObject({ consumedPoints: 30, remainingPoints: 0 });
    expect(await there.get('bea')).toBeNull();
  });

  it('takes back, forgets, and counts from the start after the window', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { here, there } = await shared();
    for (let i = 0; i < 3; i++) await here.penalty('ada');
    await expect(there.consume('ada')).rejects.toMatchObject({ consumedPoints: 4 });
    await there.reward('ada');
    await expect(requirePointsLeft(here, 'ada', 'Too many.')).rejects.toMatchObject({ code: 'rate_limited' });
    expect([await there.delete('ada'), await here.get('ada')]).toEqual([true, null]);
    await here.consume('ada');
    vi.setSystemTime(Date.now() + 300_001);
    expect(await there.get('ada')).toBeNull();
    expect(await there.consume('ada')).toMatchObject({ consumedPoints: 1, isFirstInDuration: true });
  });
});

it('reports a fault of the database as such, not as too many requests', async () => {
  const fault = new Error('the database fails');
  const [db] = await twoNodes();
  const limits = await openLimits(
    { ...db, as: () => ({ ...db, write: () => Promise.reject(fault) }) },
    { sign: (_purpose, text) => text },
    LOG,
  );
  await expect(requirePoint(limits.counter('sign-ins', WINDOW), 'ada', 'Too many.')).rejects.toBe(fault);
});

it('refuses what exceeds the points, with the time to wait', async () => {
  const { counter } = await stored();
  for (let i = 0; i < WINDOW.points; i++) await requirePoint(counter(), 'ada', 'Too many.');
  await expect(requirePoint(counter(), 'ada', 'Too many.')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Too many\. Try again in/),
    details: { retry_after: expect.any(Number) },
  });
});
