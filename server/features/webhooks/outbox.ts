import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY_MS } from '#api/durations.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { DeliveryRow } from '#server/platform/db/schema/webhooks.ts';
import type { Attempt, Outcome } from './attempt.ts';

/** Delays after the first, second, … failed attempt, in seconds: about two days in total. */
export const REDELIVERY_DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400] as const;
/** The number of webhooks that are notified in parallel. */
const WEBHOOKS_AT_ONCE = 8;
const LOOK_AGAIN_MS = 1_000;
/** Longer than an attempt takes. */
const CLAIM_MS = 60_000;
const MAX_REST_SECONDS = 60;
const LOG_DAYS = 30;
const OUTBOX_DAYS = 7;

export interface OutboxParts {
  db: WritableDatabase;
  log: Pick<Logger, 'info' | 'warn'>;
  attempt: Attempt;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Until when each webhook rests after a failure, by its id: a receiver that is down must not get the whole backlog. */
  resting: Map<number, number>;
}

/**
 * Delivers everything that is due, including what becomes due meanwhile, until nothing is in progress or `signal` aborts;
 * returns the number of attempts. Each webhook has its own lane, which sends one event at a time: a slow receiver doesn't
 * delay others, and is never flooded.
 */
export async function deliverDue(parts: OutboxParts, signal: AbortSignal): Promise<number> {
  const lanes = new Map<number, Promise<void>>();
  const done = { attempts: 0, errors: [] as unknown[] };

  function startLane(id: number) {
    const lane = runLane(parts, id, signal)
      .then((attempts) => {
        done.attempts += attempts;
      })
      .catch((error) => void done.errors.push(error))
      .finally(() => lanes.delete(id));
    lanes.set(id, lane);
  }

  for (;;) {
    const ending = signal.aborted || done.errors.length > 0;
    if (!ending) for (const id of await dueWebhooks(parts, [...lanes.keys()])) startLane(id);
    if (lanes.size === 0) break;
    if (ending) await Promise.all(lanes.values());
    else await Promise.race([...lanes.values(), sleep(LOOK_AGAIN_MS, undefined, { ref: false })]);
  }
  if (done.errors.length > 0) throw done.errors[0];
  return done.attempts;
}

/** Webhooks with something due and no lane yet, as many as may start. */
async function dueWebhooks({ db, now, resting }: OutboxParts, busy: number[]): Promise<number[]> {
  if (busy.length >= WEBHOOKS_AT_ONCE) return [];
  for (const [id, until] of resting) if (until <= now()) resting.delete(id);
  const left = [...busy, ...resting.keys()];
  const rows = await db.read
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select('webhook_id')
    .distinct()
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', now())
    .where('enabled', '=', 1)
    .$if(left.length > 0, (query) => query.where('webhook_id', 'not in', left))
    .limit(WEBHOOKS_AT_ONCE - busy.length)
    .execute();
  return rows.map(({ webhook_id }) => webhook_id);
}

/** Sends one webhook's due events in order; a failure ends the lane, since the next attempt would most likely fail too. */
async function runLane(parts: OutboxParts, webhookId: number, signal: AbortSignal): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    const delivery = signal.aborted ? undefined : await nextDue(parts, webhookId);
    const claimed = delivery && (await claim(parts, delivery));
    if (!delivery || claimed === undefined) return attempts;
    const outcome = await parts.attempt(delivery, signal);
    if (outcome === 'interrupted') {
      await giveBack(parts, delivery, claimed);
      return attempts;
    }
    await recordOutcome(parts, delivery, claimed, outcome);
    if (outcome.delivered) continue;
    parts.resting.set(
      webhookId,
      parts.now() + Math.min(REDELIVERY_DELAYS_SECONDS[delivery.attempts] ?? MAX_REST_SECONDS, MAX_REST_SECONDS) * 1000,
    );
    return attempts + 1;
  }
}

function nextDue({ db, now }: OutboxParts, webhookId: number): Promise<DeliveryRow | undefined> {
  return db.read
    .selectFrom('webhook_deliveries')
    .selectAll('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', now())
    .where('enabled', '=', 1)
    .orderBy('next_attempt_at')
    .orderBy('webhook_deliveries.id')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Keeps other services from sending a delivery: one that was held up may still believe that the job is its own. When the service
 * fails, the delivery becomes due again. Returns the `next_attempt_at` that marks the claim; undefined when another
 * service has the delivery.
 */
async function claim({ db, now }: OutboxParts, { id, next_attempt_at }: DeliveryRow): Promise<number | undefined> {
  if (!db.isShared) {
    // What it tells of may just have been read before it was flushed.
    await db.durable();
    return next_attempt_at;
  }
  const claimed = now() + CLAIM_MS;
  const { numUpdatedRows } = await db.write((queries) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: claimed })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .where('next_attempt_at', '=', next_attempt_at)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n ? claimed : undefined;
}

async function giveBack({ db }: OutboxParts, { id, next_attempt_at }: DeliveryRow, claimed: number): Promise<void> {
  if (!db.isShared) return;
  await db.write((queries) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at })
      .where('id', '=', id)
      .where('next_attempt_at', '=', claimed)
      .execute(),
  );
}

async function recordOutcome(
  { db, log, now }: OutboxParts,
  delivery: DeliveryRow,
  claimed: number,
  outcome: Exclude<Outcome, 'interrupted'>,
): Promise<void> {
  const attempts = delivery.attempts + 1;
  const wait = REDELIVERY_DELAYS_SECONDS[attempts - 1];
  const over = wait === undefined || outcome.gone;
  await db.write(async (queries) => {
    await queries
      .updateTable('webhook_deliveries')
      .set({
        state: outcome.delivered ? 'delivered' : over ? 'failed' : 'pending',
        attempts,
        next_attempt_at: now() + (wait ?? 0) * 1000,
        last_attempt_at: now(),
        last_status: outcome.status,
        last_error: outcome.error,
      })
      .where('id', '=', delivery.id)
      .where('next_attempt_at', '=', claimed)
      .execute();
    if (outcome.gone) await queries.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', delivery.webhook_id).execute();
  });
  if (outcome.gone) log.warn({ webhook: delivery.webhook_id }, 'webhook turned off: its receiver returned 410 (gone)');
}

/** Gives up deliveries that have waited for a week, and removes finished ones past their retention; returns the number removed. */
export async function forgetOldDeliveries(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    await queries
      .updateTable('webhook_deliveries')
      .set({ state: 'failed', last_error: 'Gave up after a week.' })
      .where('state', '=', 'pending')
      .where('created_at', '<', now - OUTBOX_DAYS * DAY_MS)
      .execute();
    const { numDeletedRows } = await queries
      .deleteFrom('webhook_deliveries')
      .where('state', '<>', 'pending')
      .where('created_at', '<', now - LOG_DAYS * DAY_MS)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
