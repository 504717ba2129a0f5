import { expect, it, onTestFinished, vi } from 'vitest';
import { setup } from '#api/auth/auth.ts';
import { createClient } from '#api/client.ts';
import type { ServiceContext } from '#server/boot/compose.ts';
import { closeSession, endSessions, listSessions, openSession, resolveSession } from '#server/core/accounts/sessions.ts';
import { createFailureNotes } from '#server/core/accounts/sign-in.ts';
import { enableTwoFactor } from '#server/core/accounts/two-factor.ts';
import { setPasswordHash } from '#server/core/accounts/users.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { type Database, openDatabase, type Queries, type WritableDatabase } from '#server/platform/db/database.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { newDatabase, onPostgres } from '#test/helpers/service/data/database.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER } from '#test/helpers/service/service.ts';

type Change = (queries: Queries, context: ServiceContext) => Promise<unknown>;

/** Signs the owner in by password; `change` is committed after the password was checked, right before the session is. */
async function logInDuring(change: Change) {
  let changing!: WritableDatabase;
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const { context, url, close } = await openTestContext(undefined, (original) => {
    changing = original.db.as('job');
    return {
      ...original,
      db: {
        ...original.db,
        as: (author) => ({
          ...original.db.as(author),
          async write(work) {
            await meanwhile();
            return original.db.as(author).write(work);
          },
        }),
      },
    };
  });
  onTestFinished(close);
  await createClient({ baseUrl: url }).call(setup, { body: { ...OWNER, setup_code: context.setupCode } });
  await context.db.as('job').write((queries) => queries.deleteFrom('sessions').execute());
  meanwhile = () => changing.write((queries) => change(queries, context));
  const response = await logIn({ url }, OWNER.username, OWNER.password);
  return { response, sessions: await context.db.read.selectFrom('sessions').select('user_id').execute() };
}

it('opens a session while the account stays as it was', async () => {
  const { response, sessions } = await logInDuring(async () => undefined);
  expect([response.status, sessions.length]).toEqual([200, 1]);
});

it.each<[string, Change]>([
  ['the password is reset', (queries) => setPasswordHash(queries, 1, 'another hash')],
  ['the account is disabled', (queries) => queries.updateTable('users').set({ disabled_at: 1 }).execute()],
  ['the account is deleted', (queries) => queries.deleteFrom('users').execute()],
  ['a second factor is turned on', (queries, { secrets }) => enableTwoFactor(queries, secrets, 1, { secret: 'ABCDEFGH', step: 1 })],
])('opens none when %s while the password is checked', async (_what, change) => {
  const { response, sessions } = await logInDuring(change);
  expect([response.status, response.code, response.setCookies, sessions]).toEqual([401, 'unauthorized', [], []]);
});

it('records a limited number of failed sign-ins an hour, however many addresses they come from', async () => {
  const { context, close } = await openTestContext();
  onTestFinished(close);
  const note = createFailureNotes(context.db, context.limits);
  const failed = { method: 'password', account: '', reason: 'unknown_account' } as const;
  const noted: boolean[] = [];
  for (let number = 0; number < 310; number++)
    noted.push(await note({ actorId: null, actorName: '', address: `10.0.${number >> 8}.${number & 255}`, userAgent: '' }, failed));
  expect(noted.filter((isNoted) => isNoted)).toHaveLength(300);
  expect(await context.db.read.selectFrom('audit').select('id').execute()).toHaveLength(300);
});

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
