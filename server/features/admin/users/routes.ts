import type { Request } from 'express';
import type { UserAccess } from '#api/admin/users.ts';
import * as api from '#api/admin/users.ts';
import { type Actor, auditOrigin, type Member } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { resetSecondFactors } from '#server/core/accounts/passkeys.ts';
import { presentSession, presentToken } from '#server/core/accounts/present-access.ts';
import { endSessions, listSessions } from '#server/core/accounts/sessions.ts';
import { listTokens, revokeTokens } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { moveAlbums, moveImages } from '#server/core/deletion/move.ts';
import { isDeleted } from '#server/core/deletion/start.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { bind } from '#server/core/routes.ts';
import { InvalidRequestError, requireFound } from '#server/platform/base/errors.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { presentAccount } from '../present.ts';
import { requireMayEndAccess, requireMayResetTwoFactor } from './access.ts';
import { changeAccount, createAccount, deleteAccount, NO_ACCOUNT, requireUser, resetPassword } from './changes.ts';
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

interface Transferred {
  images: number;
  albums: number;
  bytes: number;
}

/**
 * Moves all images including the trash, and all albums, of one account to another in one commit; every link stays, except those for
 * deletion, which their former owner knows. The
 * target's quota doesn't apply: an admin decides here, and the target can't upload more until there is room.
 */
async function transferAll(db: WritableDatabase, { from, to }: { from: number; to: number }, origin: AuditOrigin): Promise<Transferred> {
  if (from === to)
    throw new InvalidRequestError('Choose a different account to move the pictures to.', { field: 'to_user_id', problem: 'not_available' });
  return db.write(async (queries) => {
    const source = await requireUser(queries, from);
    const target = await queries.selectFrom('users').selectAll().where('id', '=', to).executeTakeFirst();
    if (!target || (await isDeleted(queries, to)))
      throw new InvalidRequestError('This account no longer exists. Reload the list.', { field: 'to_user_id', problem: 'not_available' });
    const albums = await moveAlbums(queries, { from, to });
    const images = await moveImages(queries, { from, to });
    const result = { images: images.length, albums, bytes: source.storage_used_bytes };
    await recordAudit(queries, origin, {
      action: 'user.transferred',
      target: source.username,
      details: { to: target.username, ...result },
    });
    return result;
  });
}

/** How many of each an admin sees. */
const MAX_SHOWN = 100;

/** The newest sessions and tokens of an account. */
async function readUserAccess({ db, opaque }: Pick<Context, 'db' | 'opaque'>, admin: Member, id: number): Promise<UserAccess> {
  await requireUser(db.read, id);
  const [sessions, tokens] = await Promise.all([listSessions(db, id, { limit: MAX_SHOWN }), listTokens(db, id, { limit: MAX_SHOWN })]);
  return {
    sessions: sessions.items.map((row) => presentSession(row, admin, opaque)),
    tokens: tokens.items.map((row) => presentToken(row, opaque)),
  };
}

/**
 * Ends all sessions of an account, except the admin's own, and revokes all its API tokens.
 * @throws ForbiddenError for the owner's account, except to the owner
 */
function endUserAccess(
  db: WritableDatabase,
  admin: Member,
  id: number,
  origin: AuditOrigin,
): Promise<{ sessions: number; tokens: number }> {
  return db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayEndAccess(admin.user, user);
    const ended = { sessions: await endSessions(queries, id, admin.id), tokens: await revokeTokens(queries, id) };
    await recordAudit(queries, origin, { action: 'user.access_ended', target: user.username, details: ended });
    return ended;
  });
}

/**
 * Turns off an account's second factor and removes its passkeys, for a user who has lost it.
 * @throws ForbiddenError for the admin's own account and the owner's
 */
async function resetUserTwoFactor(db: WritableDatabase, admin: Member, id: number, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayResetTwoFactor(admin.user, user);
    if (await resetSecondFactors(queries, id))
      await recordAudit(queries, origin, { action: 'user.two_factor_reset', target: user.username });
  });
}
