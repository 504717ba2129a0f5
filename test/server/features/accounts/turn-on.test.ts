import { expect, it } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { hasTwoFactor } from '#server/core/accounts/two-factor.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { turnOn } from '#server/features/accounts/two-factor/turn-on.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';

const ORIGIN = { actorId: null, actorName: '', address: '127.0.0.1', userAgent: 'test' };

it.each([
  ['the password has been reset', { password_hash: 'new' }],
  ['the account has been disabled', { disabled_at: 1 }],
])('sets up no second factor when %s since the password was sent', async (_what, change) => {
  const folder = temporaryFolder();
  await writeEmptyDatabase(folder);
  const { context, close } = await openTestContext(folder);
  const { db } = context;
  const { id } = await db.as('job').write(async (queries) => {
    const more = { emailSource: 'admin', passwordHash: 'old', role: 'user', isOwner: false } as const;
    const group = await groupOfKind(queries, 'default');
    return insertUser(queries, { username: 'bob', email: null, ...more, groupId: group.id }, Date.now());
  });
  const user = await db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await db.as('job').write((queries) => queries.updateTable('users').set(change).where('id', '=', id).execute());
  const accepted = { secret: 'secret', step: 1 };
  await expect(turnOn({ ...context, db: db.as('note') }, { user, accepted, origin: ORIGIN })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await hasTwoFactor(db.read, id)).toBe(false);
  await close();
});
