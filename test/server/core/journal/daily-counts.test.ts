import { expect, it, onTestFinished } from 'vitest';
import { insertUser } from '#server/core/accounts/users.ts';
import { countUpload, countViews, noteStoredBytes } from '#server/core/journal/daily-counts.ts';
import { readStats } from '#server/features/admin/stats.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';

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
