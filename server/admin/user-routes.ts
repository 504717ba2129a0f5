import * as api from '#api/admin-users.ts';
import { memberOf } from '../auth/authorize.ts';
import type { Context } from '../context.ts';
import { toPage } from '../db/page.ts';
import { NotFoundError } from '../http/errors.ts';
import { bind } from '../http/routes.ts';
import { auditOrigin } from './audit.ts';
import { presentAccount } from './present.ts';
import { transferAll } from './transfer.ts';
import { changeAccount, createAccount, resetPassword } from './user-changes.ts';
import { findUser, listUsers } from './users.ts';

/** Everybody's accounts. */
export function userAdminRoutes({ db, imageIndex }: Context) {
  async function show(id: number) {
    const user = await findUser(db.read, id);
    if (!user) throw new NotFoundError('There is no such account.');
    return presentAccount(user);
  }

  return [
    bind(api.listUsers, async ({ query }) => {
      const rows = await listUsers(db, query);
      return toPage(rows, query.limit, ({ id }) => ({ value: id, id }), presentAccount);
    }),

    bind(api.getUser, async ({ params }) => show(params.id)),

    bind(api.createUser, async (call) => show(await createAccount(db, call.body, auditOrigin(call)))),

    bind(api.changeUser, async (call) => {
      await changeAccount(db, memberOf(call.actor).user, call.params.id, call.body, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.resetUserPassword, async (call) => {
      await resetPassword(db, memberOf(call.actor).user, call.params.id, call.body.password, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.transferUser, async (call) =>
      transferAll(db, imageIndex, { from: call.params.id, to: call.body.to_user_id }, auditOrigin(call)),
    ),
  ];
}
