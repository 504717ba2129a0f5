import * as api from '#api/albums/members.ts';
import { HOUR } from '#api/durations.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { requireRole } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { endShare, listMembers, putMember } from './members.ts';

const MAX_ATTEMPTS_PER_HOUR = 30;

export const memberRoutes = (context: Context) => {
  const { db, limits, settings } = context;
  const attempts = limits.counter('users named for albums', {
    points: MAX_ATTEMPTS_PER_HOUR,
    duration: HOUR,
    durable: true,
    keepsAll: true,
  });
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

    bind(api.removeEveryone, async ({ actor, caller, params }) => {
      await endShare(db.as(caller), { userId: memberOf(actor).user.id, albumId: params.id }, 'everyone');
      return {};
    }),
  ];
};
