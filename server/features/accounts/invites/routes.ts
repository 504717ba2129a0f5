import type { Invite } from '#api/auth/invites.ts';
import * as api from '#api/auth/invites.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { InviteRow } from '#server/platform/db/schema/accounts.ts';
import { createInvite, deleteInvite, listInvites } from './invites.ts';

export const inviteRoutes = ({ db, links }: Context) => [
  bind(api.listInvites, async ({ query }) => mapPage(await listInvites(db, query), presentInvite)),

  bind(api.createInvite, async (call) => {
    const { note, email, group_id, expires_in } = call.body;
    const { row, code } = await createInvite(
      db.as(call.caller),
      { note, email, groupId: group_id, expiresIn: expires_in },
      auditOrigin(call),
    );
    return { ...presentInvite(row), code, url: `${links.address()}/register?invite=${code}` };
  }),

  bind(api.deleteInvite, async (call) => {
    if (!(await deleteInvite(db.as(call.caller), call.params.id, auditOrigin(call))))
      throw new NotFoundError('This invite no longer exists. Reload the list.');
    return {};
  }),
];

function presentInvite({ id, note, email, group_id, created_at, expires_at, used_at, used_by }: InviteRow): Invite {
  return {
    id,
    note,
    email,
    group_id,
    created_at: toInstant(created_at),
    expires_at: toInstant(expires_at),
    used_at: toInstant(used_at),
    used_by,
  };
}
