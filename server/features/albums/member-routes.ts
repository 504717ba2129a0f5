import * as api from '#api/albums/members.ts';
import { getTeamNews } from '#api/team.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { namingCounter } from '#server/core/accounts/people.ts';
import { requireRole } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { listTeamAlbums } from './describe.ts';
import { countNew } from './joined-images.ts';
import { endShare, listMembers, putMember } from './members.ts';

export const memberRoutes = (context: Context) => {
  const { db, limits, settings } = context;
  const attempts = namingCounter(limits);
  return [
    bind(api.listMembers, async ({ actor, params }) => {
      return listMembers(db.read, await requireRole(db.read, memberOf(actor).user.id, params.id, 'viewer'));
    }),

    bind(api.putMember, ({ actor, caller, params, body }) =>
      putMember(
        { db: db.as(caller), attempts, settings: settings.current() },
        { userId: memberOf(actor).user.id, albumId: params.id },
        body,
      ),
    ),

    bind(api.removeMember, async ({ actor, caller, params }) => {
      await endShare(db.as(caller), { userId: memberOf(actor).user.id, albumId: params.id }, { user: params.user_id });
      return {};
    }),

    bind(api.removeGroup, async ({ actor, caller, params }) => {
      await endShare(db.as(caller), { userId: memberOf(actor).user.id, albumId: params.id }, { group: params.group_id });
      return {};
    }),

    bind(getTeamNews, async ({ actor, query }) => {
      const { id: userId } = memberOf(actor).user;
      const albums = [];
      for (const id of await listTeamAlbums(db.read, userId))
        albums.push({ id, count: await countNew(db.read, id, userId, Date.parse(query.since)) });
      return { albums: albums.filter(({ count }) => count > 0) };
    }),

    bind(api.removeEveryone, async ({ actor, caller, params }) => {
      await endShare(db.as(caller), { userId: memberOf(actor).user.id, albumId: params.id }, { everyone: true });
      return {};
    }),
  ];
};
