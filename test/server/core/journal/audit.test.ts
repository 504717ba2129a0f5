import { expect, it, onTestFinished } from 'vitest';
import { AUDIT_DAYS, FAILED_SIGN_IN_DAYS } from '#api/admin/audit.ts';
import { serviceJobs } from '#server/boot/jobs.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { FAILED_SIGN_IN, listAudit } from '#server/core/journal/audit.ts';
import { countUpload, countViews, noteStoredBytes } from '#server/core/journal/daily-counts.ts';
import { readStats } from '#server/features/admin/stats.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';

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

const at = (day: string, time = '12:00:00') => Date.parse(`${day}T${time}Z`);

it('counts days from midnight UTC, each with its last stored bytes, today with the present ones', async () => {
  const db = await openDatabase(await newDatabase());
  onTestFinished(() => db.close());
  const user = { email: null, emailSource: 'admin', passwordHash: null, role: 'user', isOwner: false, groupId: 2 } as const;
  const { id } = await db.as('job').write((queries) => insertUser(queries, { ...user, username: 'bob' }, at('2026-03-01')));
  const store = (bytes: number) =>
    db.as('job').write((queries) => queries.updateTable('users').set({ storage_used_bytes: bytes }).execute());
  await db.as('job').write(async (queries) => {
    await countUpload(queries, { ownerId: id, bytes: 100, now: at('2026-03-01', '23:59:59') });
    await countUpload(queries, { ownerId: id, bytes: 50, now: at('2026-03-02', '00:00:00') });
    await countUpload(queries, { ownerId: null, bytes: 7, now: at('2026-03-02') });
    await countViews(queries, { ownerId: id, views: 3, now: at('2026-03-02') });
    await countViews(queries, { ownerId: id, views: 4, now: at('2026-03-04') });
  });
  await store(100);
  expect(await noteStoredBytes(db.as('job'), { bytes: 0 }, at('2026-03-01'))).toBe(1);
  await store(150);
  await noteStoredBytes(db.as('job'), { bytes: 5 }, at('2026-03-02', '06:00:00'));
  await store(140);
  await noteStoredBytes(db.as('job'), { bytes: 7 }, at('2026-03-02', '18:00:00'));

  const { days, users } = await readStats(db, 4, at('2026-03-04'));
  expect(days).toEqual([
    { day: '2026-03-01', uploads: 1, upload_bytes: 100, views: 0, stored_bytes: 100 },
    { day: '2026-03-02', uploads: 2, upload_bytes: 57, views: 3, stored_bytes: 147 },
    { day: '2026-03-03', uploads: 0, upload_bytes: 0, views: 0, stored_bytes: null },
    { day: '2026-03-04', uploads: 0, upload_bytes: 0, views: 4, stored_bytes: 140 },
  ]);
  expect(users).toEqual([
    { user: { id, username: 'bob' }, uploads: 2, upload_bytes: 150, views: 7, stored_bytes: 140 },
    { user: null, uploads: 1, upload_bytes: 7, views: 0, stored_bytes: 0 },
  ]);
  const since = await readStats(db, 1, at('2026-03-04'));
  expect(since.users[0]).toMatchObject({ uploads: 0, views: 4 });
});
