import * as api from '#api/albums/members.ts';
import { HOUR } from '#api/durations.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { requireRole } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { listMembers, putMember, removeMember } from './members.ts';

const MAX_ATTEMPTS_PER_HOUR = 30;

export const memberRoutes = (context: Context) => {
  const { db, limits } = context;
  const attempts = limits.counter('users named for albums', {
    points: MAX_ATTEMPTS_PER_HOUR,
    duration: HOUR,
    durable: true,
    keepsAll: true,
  });
  return [
    bind(api.listMembers, async ({ actor, params }) => {
      await requireRole(db.read, memberOf(actor).user.id, params.id, 'viewer');
      return { items: await listMembers(db.read, params.id) };
    }),

    bind(api.putMember, ({ actor, caller, params, body }) =>
      putMember(db.as(caller), attempts, { userId: memberOf(actor).user.id, albumId: params.id }, body),
    ),

    bind(api.removeMember, async ({ actor, caller, params }) => {
      await removeMember(db.as(caller), { userId: memberOf(actor).user.id, albumId: params.id }, params.user_id);
      return {};
    }),
  ];
};
