import { expect, it, onTestFinished } from 'vitest';
import { AUDIT_DAYS, FAILED_SIGN_IN_DAYS } from '#api/admin-audit.ts';
import { FAILED_SIGN_IN } from '#server/core/journal/audit.ts';
import { serviceJobs } from '#server/jobs.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
import { openTestContext } from '#test/helpers/context.ts';

const DAY_MS = 86_400_000;

it('removes audit entries after a year, failed sign-ins after a month, and nothing else', async () => {
  const { context, close } = await openTestContext();
  onTestFinished(close);
  const now = Date.now();
  const entry = (action: string, days: number) => ({
    at: now - days * DAY_MS,
    actor_id: null,
    actor_name: '',
    action,
    target: `${days}`,
    details: '{}',
    address: '',
    user_agent: '',
  });
  // More than one batch of removals.
  const entries = Array.from({ length: 1_100 }, () => entry('settings.changed', AUDIT_DAYS + 2));
  entries.push(entry(FAILED_SIGN_IN, AUDIT_DAYS + 1), entry('settings.changed', AUDIT_DAYS + 1), entry('user.created', AUDIT_DAYS - 1));
  entries.push(entry(FAILED_SIGN_IN, FAILED_SIGN_IN_DAYS + 1), entry('user.created', FAILED_SIGN_IN_DAYS + 1));
  entries.push(entry(FAILED_SIGN_IN, FAILED_SIGN_IN_DAYS - 1), entry('user.created', 0));
  await context.db.write(async (queries) => {
    for (const row of entries) await queries.insertInto('audit').values(row).execute();
  });
  const scheduler = createScheduler(
    serviceJobs(context, () => now),
    context.log,
  );
  await scheduler.run('forget old audit entries');
  const left = await context.db.read.selectFrom('audit').select(['action', 'target']).orderBy('id').execute();
  expect(left).toEqual([
    { action: 'user.created', target: String(AUDIT_DAYS - 1) },
    { action: 'user.created', target: String(FAILED_SIGN_IN_DAYS + 1) },
    { action: FAILED_SIGN_IN, target: String(FAILED_SIGN_IN_DAYS - 1) },
    { action: 'user.created', target: '0' },
  ]);
});
