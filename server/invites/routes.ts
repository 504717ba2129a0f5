import * as api from '#api/invites.ts';
import { auditOrigin } from '../admin/audit.ts';
import type { Context } from '../context.ts';
import { toPage } from '../db/page.ts';
import { NotFoundError } from '../http/errors.ts';
import { bind } from '../http/routes.ts';
import { createInvite, deleteInvite, listInvites } from './invites.ts';
import { presentInvite } from './present.ts';

export const inviteRoutes = ({ db, links }: Context) => [
  bind(api.listInvites, async ({ query }) =>
    toPage(await listInvites(db, query), query.limit, ({ id }) => ({ value: id, id }), presentInvite),
  ),

  bind(api.createInvite, async (call) => {
    const { note, email, group_id, expires_in } = call.body;
    const { row, code } = await createInvite(db, { note, email, groupId: group_id, expiresIn: expires_in }, auditOrigin(call));
    return { ...presentInvite(row), code, url: `${links.address()}/register?invite=${code}` };
  }),

  bind(api.deleteInvite, async (call) => {
    if (!(await deleteInvite(db, call.params.id, auditOrigin(call)))) throw new NotFoundError('There is no such invite.');
    return {};
  }),
];
