import { expect, it, onTestFinished } from 'vitest';
import { AUDIT_DAYS, FAILED_SIGN_IN_DAYS } from '#api/admin/audit.ts';
import { serviceJobs } from '#server/boot/jobs.ts';
import { FAILED_SIGN_IN, listAudit } from '#server/core/journal/audit.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';

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
  await context.db.as('job').write(async (queries) => {
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

it('lists the entries of an action, a person and a period', async () => {
  const { context, close } = await openTestContext();
  onTestFinished(close);
  const day = (number: number) => Date.UTC(2026, 10, number);
  const rows = [
    { at: day(1), actor_id: 1, action: 'settings.changed' },
    { at: day(2), actor_id: 2, action: 'settings.changed' },
    { at: day(3), actor_id: 1, action: 'user.created' },
  ].map((row) => ({ ...row, actor_name: '', target: '', details: '{}', address: '', user_agent: '' }));
  await context.db.as('job').write((queries) => queries.insertInto('audit').values(rows).execute());
  const days = async (filters: Partial<Parameters<typeof listAudit>[1]>) =>
    (await listAudit(context.db, { limit: 50, ...filters })).items.map(({ at }) => new Date(at).getUTCDate());
  expect(await days({})).toEqual([3, 2, 1]);
  expect(await days({ action: 'settings.changed' })).toEqual([2, 1]);
  expect(await days({ actor_id: 1 })).toEqual([3, 1]);
  expect(await days({ from: '2026-11-02T00:00:00Z' })).toEqual([3, 2]);
  expect(await days({ from: '2026-11-02T00:00:00Z', to: '2026-11-03T00:00:00Z' })).toEqual([2]);
});
