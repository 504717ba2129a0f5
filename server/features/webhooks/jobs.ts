import { HOUR } from '#api/durations.ts';
import type { Context } from '#server/core/context.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { Job } from '#server/platform/jobs/scheduler.ts';
import { createAttempt } from './attempt.ts';
import { deliverDue, forgetOldDeliveries } from './outbox.ts';

/** Delivers events to webhooks and trims the log. */
export function webhookJobs(
  context: { db: WritableDatabase } & Pick<Context, 'log' | 'secrets' | 'settings' | 'links' | 'version'>,
  now: () => number,
): Job[] {
  const { db, log } = context;
  const parts = { db, log, now, attempt: createAttempt({ ...context, now }), resting: new Map<number, number>() };
  return [
    {
      name: 'deliver webhooks',
      everySeconds: 1,
      run: async (signal) => ({ attempts: await deliverDue(parts, signal) }),
    },
    { name: 'forget old deliveries', everySeconds: HOUR, run: async () => ({ forgotten: await forgetOldDeliveries(db, now()) }) },
  ];
}
