import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addDelivery, enqueueEvents } from '#server/core/journal/events.ts';
import type { Attempt, Outcome } from '#server/features/webhooks/attempt.ts';
import { deliverDue, forgetOldDeliveries, REDELIVERY_DELAYS_SECONDS } from '#server/features/webhooks/outbox.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';

const DELIVERED: Outcome = { delivered: true, gone: false, status: 204, error: null };
const FAILED: Outcome = { delivered: false, gone: false, status: 500, error: 'The receiver returned status 500.' };
const DAY_MS = 86_400_000;

/** A database with some webhooks, an adjustable clock and scripted receivers. */
async function setUpOutbox(webhooks = 1) {
  const db = await openDatabase(await newDatabase());
  onTestFinished(() => db.close());
  await db.as('job').write(async (queries) => {
    for (let index = 1; index <= webhooks; index++) {
      await queries
        .insertInto('webhooks')
        .values({ name: `number ${index}`, url: 'https://example.org', events: '["image.created"]', secret: '', enabled: 1, created_at: 0 })
        .execute();
    }
  });
  const clock = { now: Date.now() + 1000 };
  const resting = new Map<number, number>();
  const stopping = new AbortController();
  return {
    db,
    clock,
    stop: () => stopping.abort(),
    enqueue: (webhookId = 1) => db.as('job').write((queries) => addDelivery(queries, webhookId, { type: 'image.created', data: {} })),
    run: (attempt: Attempt) =>
      deliverDue(
        { db: db.as('job'), log: { info: () => undefined, warn: () => undefined }, attempt, now: () => clock.now, resting },
        stopping.signal,
      ),
    rows: () => db.read.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute(),
  };
}

describe('the outbox', () => {
  it('is written in the same transaction as the change, or not at all', async () => {
    const { db, rows } = await setUpOutbox(2);
    const event = { type: 'image.created' as const, data: { key: 'x' } };
    await expect(
      db.as('job').write(async (queries) => {
        await enqueueEvents(queries, [event]);
        throw new Error('the change fails after all');
      }),
    ).rejects.toThrow();
    expect(await rows()).toEqual([]);
    await db.as('job').write((queries) => enqueueEvents(queries, [event, { type: 'image.deleted', data: {} }]));
    expect((await rows()).map(({ webhook_id, type }) => [webhook_id, type])).toEqual([
      [1, 'image.created'],
      [2, 'image.created'],
    ]);
  });

  it('retries after growing delays, never earlier, and finally gives up', async () => {
    const { clock, enqueue, run, rows } = await setUpOutbox();
    await enqueue();
    for (const seconds of REDELIVERY_DELAYS_SECONDS) {
      expect(await run(async () => FAILED)).toBe(1);
      expect(await rows()).toMatchObject([{ state: 'pending', next_attempt_at: clock.now + seconds * 1000 }]);
      clock.now += seconds * 1000 - 1;
      expect(await run(async () => FAILED)).toBe(0);
      clock.now += 1;
    }
    expect(REDELIVERY_DELAYS_SECONDS.toSorted((a, b) => a - b)).toEqual(REDELIVERY_DELAYS_SECONDS);
    expect(await run(async () => FAILED)).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: REDELIVERY_DELAYS_SECONDS.length + 1, last_status: 500 }]);
    clock.now += 10 * DAY_MS;
    expect(await run(async () => DELIVERED)).toBe(0);
  });

  it('delivers due events in order', async () => {
    const { enqueue, run, rows } = await setUpOutbox();
    for (let count = 0; count < 5; count++) await enqueue();
    const sent: number[] = [];
    const attempts = await run(async ({ id }) => {
      sent.push(id);
      return DELIVERED;
    });
    expect(attempts).toBe(5);
    expect(sent).toEqual([1, 2, 3, 4, 5]);
    expect((await rows()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('does not send a whole backlog to a receiver that is down', async () => {
    const { clock, enqueue, run } = await setUpOutbox();
    for (let count = 0; count < 20; count++) await enqueue();
    expect(await run(async () => FAILED)).toBe(1);
    expect(await run(async () => FAILED)).toBe(0);
    clock.now += 5_000;
    expect(await run(async () => DELIVERED)).toBe(20);
  });

  it('isolates a receiver that hangs, and contacts at most eight at once', async () => {
    const { enqueue, run, rows } = await setUpOutbox(12);
    for (let webhook = 1; webhook <= 12; webhook++) await enqueue(webhook);
    const hanging = Promise.withResolvers<Outcome>();
    const state = { now: 0, most: 0, others: 0 };
    await run(async ({ webhook_id }) => {
      state.most = Math.max(state.most, ++state.now);
      if (webhook_id !== 1) await setImmediate();
      state.now--;
      if (webhook_id === 1) {
        state.now++;
        return hanging.promise.finally(() => state.now--);
      }
      if (++state.others === 11) hanging.resolve(DELIVERED); // only when all others are done
      return DELIVERED;
    });
    expect(state.others).toBe(11);
    expect(state.most).toBeLessThanOrEqual(8);
    expect((await rows()).every((row) => row.state === 'delivered')).toBe(true);
  });

  it('does not count an attempt that is interrupted when the service stops', async () => {
    const { enqueue, run, rows, stop } = await setUpOutbox();
    await enqueue();
    await enqueue();
    const attempts = await run(async (_delivery, signal) => {
      stop();
      expect(signal.aborted).toBe(true);
      return 'interrupted';
    });
    expect(attempts).toBe(0);
    expect(await rows()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ]);
  });

  it('fails the run for an internal error, after all lanes have ended', async () => {
    const { enqueue, run } = await setUpOutbox(2);
    await enqueue(1);
    await enqueue(2);
    const order: string[] = [];
    const [failing, proceed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ending = run(async ({ webhook_id }) => {
      if (webhook_id === 1) {
        failing.resolve();
        throw new Error('disk gone');
      }
      await proceed.promise;
      order.push('the other lane has ended');
      return DELIVERED;
    });
    const ended = expect(ending.finally(() => order.push('the run has ended'))).rejects.toThrow('disk gone');
    await failing.promise;
    // A run that didn't wait would have ended by then: only promises separate the error from its end.
    await setImmediate();
    proceed.resolve();
    await ended;
    expect(order).toEqual(['the other lane has ended', 'the run has ended']);
  });

  it('keeps its log for a month and fails deliveries that waited for a week', async () => {
    const { db, clock, enqueue, run, rows } = await setUpOutbox();
    await enqueue();
    await run(async () => DELIVERED);
    await enqueue();
    expect(await forgetOldDeliveries(db.as('job'), clock.now + 6 * DAY_MS)).toBe(0);
    expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'pending']);
    expect(await forgetOldDeliveries(db.as('job'), clock.now + 8 * DAY_MS)).toBe(0);
    expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'failed']);
    expect(await forgetOldDeliveries(db.as('job'), clock.now + 31 * DAY_MS)).toBe(2);
    expect(await rows()).toEqual([]);
  });
});

it('sends each event once, whichever of several services gets to it first', async () => {
  const nodes = await twoNodes();
  const [{ read, as }] = nodes;
  const { write } = as('job');
  await write((queries) =>
    queries
      .insertInto('webhooks')
      .values({ name: 'one', url: 'https://example.org', events: '["image.created"]', secret: '', enabled: 1, created_at: 0 })
      .execute(),
  );
  for (let count = 0; count < 20; count++) await write((queries) => addDelivery(queries, 1, { type: 'image.created', data: {} }));
  const sent: number[] = [];
  const log = { info: () => undefined, warn: () => undefined };
  const attempt: Attempt = async ({ id }) => {
    sent.push(id);
    await setImmediate();
    return DELIVERED;
  };
  const now = () => Date.now() + 1000;
  const { signal } = new AbortController();
  await Promise.all(nodes.map((db) => deliverDue({ db: db.as('job'), log, attempt, now, resting: new Map() }, signal)));
  expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect((await read.selectFrom('webhook_deliveries').select('state').distinct().execute()).map(({ state }) => state)).toEqual([
    'delivered',
  ]);
});

it('returns an event that was interrupted to the other services', async () => {
  const [db] = await twoNodes();
  await db.as('job').write(async (queries) => {
    await queries
      .insertInto('webhooks')
      .values({ name: 'one', url: 'https://example.org', events: '["image.created"]', secret: '', enabled: 1, created_at: 0 })
      .execute();
    await addDelivery(queries, 1, { type: 'image.created', data: {} });
  });
  const due = () => db.read.selectFrom('webhook_deliveries').select(['state', 'next_attempt_at', 'attempts']).execute();
  const before = await due();
  const log = { info: () => undefined, warn: () => undefined };
  let claimed: unknown;
  const attempt: Attempt = async () => {
    claimed = await due();
    return 'interrupted';
  };
  const now = () => Date.now() + 1000;
  const stopping = new AbortController();
  const interrupted: Attempt = async (...args) => {
    stopping.abort();
    return attempt(...args);
  };
  await deliverDue({ db: db.as('job'), log, attempt: interrupted, now, resting: new Map() }, stopping.signal);
  expect(claimed).not.toEqual(before);
  expect(await due()).toEqual(before);
});

it('doesn’t overwrite the result of another service that has taken over an event', async () => {
  const [db, other] = await twoNodes();
  await db.as('job').write(async (queries) => {
    await queries
      .insertInto('webhooks')
      .values({ name: 'one', url: 'https://example.org', events: '["image.created"]', secret: '', enabled: 1, created_at: 0 })
      .execute();
    await addDelivery(queries, 1, { type: 'image.created', data: {} });
  });
  const log = { info: () => undefined, warn: () => undefined };
  const { signal } = new AbortController();
  const later = () => Date.now() + 120_000;
  // The first service is held up until its claim has expired, and another one sends the event.
  const attempt: Attempt = async () => {
    await deliverDue({ db: other.as('job'), log, attempt: async () => DELIVERED, now: later, resting: new Map() }, signal);
    return FAILED;
  };
  await deliverDue({ db: db.as('job'), log, attempt, now: () => Date.now() + 1000, resting: new Map() }, signal);
  expect(await db.read.selectFrom('webhook_deliveries').select(['state', 'attempts', 'last_status']).execute()).toEqual([
    { state: 'delivered', attempts: 1, last_status: 204 },
  ]);
});
