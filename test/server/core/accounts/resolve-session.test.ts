import { expect, it, onTestFinished, vi } from 'vitest';
import { closeSession, endSessions, listSessions, openSession, resolveSession } from '#server/core/accounts/sessions.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { newDatabase, onPostgres } from '#test/helpers/service/data/database.ts';

/** A change to a session or its account between two of its requests. */
type Act = (db: Database, ids: { user: number; session: number }, elsewhere: Database) => unknown;

it.each<[string, Act, string | undefined]>([
  ['nothing at all', () => undefined, 'admin'],
  ['signing out', (db, { session }) => closeSession(db.as('job'), session), undefined],
  ['ending all sessions', (db, { user }) => db.as('job').write((queries) => endSessions(queries, user)), undefined],
  [
    'ending all sessions from another process',
    (_db, { user }, elsewhere) => elsewhere.as('job').write((q) => endSessions(q, user)),
    undefined,
  ],
  ['disabling the account', (db, { user }) => change(db, user, { disabled_at: 1 }), undefined],
  ['another role', (db, { user }) => change(db, user, { role: 'user' }), 'user'],
  ['time', () => vi.setSystemTime(Date.now() + 31 * 86_400_000), undefined],
])('a cached session reflects %s at the next request', async (_name, act, role) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = await newDatabase();
  const [db, elsewhere] = [await openDatabase(path), await openDatabase(path)];
  const user = await createOwner(db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await db.as('job').write((queries) => openSession(queries, user.id, { address: '', userAgent: '' }));
  await resolveSession(db, secret);
  const session = await resolveSession(db, secret);
  expect(session?.user.role).toBe('admin');
  await act(db, { user: user.id, session: session?.id ?? 0 }, elsewhere);
  const roleNow = async () => (await resolveSession(db, secret))?.user.role;
  // News of another process takes a few milliseconds to arrive from a database server.
  if (onPostgres) await expect.poll(roleNow).toBe(role);
  expect(await roleNow()).toBe(role);
  await Promise.all([db.close(), elsewhere.close()]);
});

it('notes the use of a session to the minute, once, and not while its requests come in', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const db = await openDatabase(await newDatabase());
  const user = await createOwner(db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await db.as('job').write((queries) => openSession(queries, user.id, { address: '', userAgent: '' }));
  const use = async (laterMs: number) => {
    vi.setSystemTime(Date.now() + laterMs);
    const now = Date.now();
    const all = await Promise.all(Array.from({ length: 5 }, () => resolveSession(db, secret)));
    // Nothing is renewed before its hour, so browsers keep their cookie.
    expect(all.map((session) => session?.renewedUntil)).toEqual(Array(5).fill(undefined));
    // Waits for what was queued.
    await db.as('job').write(async () => undefined);
    const [session] = (await listSessions(db, user.id, { limit: 50 })).items;
    return now - (session?.last_seen_at ?? 0);
  };
  expect(await use(59_000)).toBe(59_000);
  expect(await use(1_000)).toBe(0);
  expect(await use(61_000)).toBe(0);
  await db.close();
});

const change = (db: Database, id: number, values: { disabled_at?: number; role?: 'user' }) =>
  db.as('job').write((queries) => queries.updateTable('users').set(values).where('id', '=', id).execute());
