import * as api from '#api/invites.ts';
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

  bind(api.createInvite, async ({ body }) => {
    const { note, email, group_id, expires_in } = body;
    const { row, code } = await createInvite(db, { note, email, groupId: group_id, expiresIn: expires_in });
    return { ...presentInvite(row), code, url: `${links.address()}/register?invite=${code}` };
  }),

  bind(api.deleteInvite, async ({ params }) => {
    if (!(await deleteInvite(db, params.id))) throw new NotFoundError('There is no such invite.');
    return {};
  }),
];
