import { sql } from 'kysely';
import * as api from '#api/team.ts';
import { presentPerson } from '#server/core/accounts/people.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { withoutCase } from '#server/platform/db/page.ts';

export const teamRoutes = ({ db, presence, settings }: Context) => [
  bind(api.getTeam, async () => {
    if (!settings.current().team_directory)
      throw new NotFoundError('This server doesn’t list its accounts. Enter the user name of a person exactly.');
    const users = await listUsers(db.read);
    return {
      users: db.isShared ? users : users.map((user) => ({ ...user, connected: presence.of(user.id) })),
      groups: await listGroups(db.read),
    };
  }),
];

async function listUsers(queries: Queries) {
  const users = await queries
    .selectFrom('users')
    .select(['id', 'username', 'avatar'])
    .where('disabled_at', 'is', null)
    .orderBy('username_key')
    .execute();
  return users.map((user) => ({ ...presentPerson(user), name: user.username }));
}

/** Those that an admin has listed. Accounts that are disabled don't count. */
function listGroups(queries: Queries) {
  return queries
    .selectFrom('groups')
    .select(['id', 'name'])
    .select(sql<number>`(select count(*) from users where users.group_id = groups.id and users.disabled_at is null)`.as('member_count'))
    .where('listed', '=', 1)
    .orderBy(withoutCase(sql.ref('name')))
    .orderBy('id')
    .execute();
}
