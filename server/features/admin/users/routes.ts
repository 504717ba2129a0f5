import type { Request } from 'express';
import * as api from '#api/admin/users.ts';
import { type Actor, auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { requireFound } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { presentAccount } from '../present.ts';
import { changeAccount, createAccount, deleteAccount, NO_ACCOUNT, resetPassword } from './changes.ts';
import { transferAll } from './transfer.ts';
import { endUserAccess, readUserAccess, resetUserTwoFactor } from './user-access.ts';
import { findUser, listUsers } from './users.ts';

/** What a call does to the account of its address. */
function adminActionOf(call: { actor: Actor; request: Request; params: { id: number } }) {
  return { actor: memberOf(call.actor).user, id: call.params.id, origin: auditOrigin(call) };
}

/** All accounts. */
export function userAdminRoutes(context: Context) {
  const { db } = context;
  async function show(id: number) {
    return presentAccount(requireFound(await findUser(db.read, id), NO_ACCOUNT));
  }

  return [
    bind(api.listUsers, async ({ query }) => mapPage(await listUsers(db, query), presentAccount)),

    bind(api.getUser, async ({ params }) => show(params.id)),

    bind(api.createUser, async (call) => show(await createAccount(db.as(call.caller), call.body, auditOrigin(call)))),

    bind(api.changeUser, async (call) => {
      await changeAccount(db.as(call.caller), adminActionOf(call), call.body);
      return show(call.params.id);
    }),

    bind(api.resetUserPassword, async (call) => {
      await resetPassword(db.as(call.caller), adminActionOf(call), call.body);
      return show(call.params.id);
    }),

    bind(api.getUserAccess, async ({ actor, params }) => readUserAccess(context, memberOf(actor), params.id)),

    bind(api.endUserAccess, async (call) => endUserAccess(db.as(call.caller), memberOf(call.actor), call.params.id, auditOrigin(call))),

    bind(api.resetUserTwoFactor, async (call) => {
      await resetUserTwoFactor(db.as(call.caller), memberOf(call.actor), call.params.id, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.transferUser, async (call) =>
      transferAll(db.as(call.caller), { from: call.params.id, to: call.body.to_user_id }, auditOrigin(call)),
    ),

    bind(api.deleteUser, async (call) => {
      await deleteAccount(db.as(call.caller), adminActionOf(call), call.query.to_user_id ?? null);
      return show(call.params.id);
    }),
  ];
}
