import { expect, it, onTestFinished } from 'vitest';
import { setup } from '#api/auth/auth.ts';
import { createClient } from '#api/client.ts';
import type { ServiceContext } from '#server/boot/compose.ts';
import { createFailureNotes } from '#server/core/accounts/sign-in.ts';
import { enableTwoFactor } from '#server/core/accounts/two-factor.ts';
import { setPasswordHash } from '#server/core/accounts/users.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
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
