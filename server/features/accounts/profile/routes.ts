import * as api from '#api/auth/user.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { rememberDevice } from '#server/core/accounts/known-device.ts';
import { presentSession } from '#server/core/accounts/present-access.ts';
import { clearSessionCookie } from '#server/core/accounts/session-cookie.ts';
import { closeOwnSession, endSessions, listSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { countTrash } from '#server/core/images/lifetime/trash.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { changePassword, changePreferences, changeProfile, deleteOwnAccount, presentProfile } from './profile.ts';

export const userRoutes = ({ db, imageIndex, passwordGuard, secrets }: Context) => [
  bind(api.getProfile, async ({ actor }) => {
    const { user } = memberOf(actor);
    return presentProfile(user, await groupById(db.read, user.group_id));
  }),

  bind(api.changeProfile, async ({ actor, body }) => {
    const user = await changeProfile({ db, passwordGuard }, memberOf(actor), body);
    return presentProfile(user, await groupById(db.read, user.group_id));
  }),

  bind(api.changePreferences, async ({ actor, body }) => changePreferences(db, memberOf(actor).user.id, body)),

  bind(api.changePassword, async ({ actor, body, request, response }) => {
    rememberDevice(secrets, request, response, await changePassword({ db, passwordGuard }, memberOf(actor), body));
    return {};
  }),

  bind(api.listSessions, async ({ actor, query }) => {
    const member = memberOf(actor);
    return mapPage(await listSessions(db, member.user.id, query), (row) => presentSession(row, member));
  }),

  bind(api.endSession, async ({ actor, params }) => {
    if (!(await closeOwnSession(db, memberOf(actor).user.id, params.id)))
      throw new NotFoundError('This session no longer exists. Reload the list.');
    return {};
  }),

  bind(api.endOtherSessions, async ({ actor }) => {
    const { user, via, id } = memberOf(actor);
    await db.write((queries) => endSessions(queries, user.id, via === 'session' ? id : undefined));
    return {};
  }),

  bind(api.deleteAccount, async ({ actor, body, request, response }) => {
    const origin = auditOrigin({ actor, request });
    await deleteOwnAccount({ db, imageIndex, passwordGuard }, memberOf(actor), body.current_password, origin);
    clearSessionCookie(request, response);
    return {};
  }),

  bind(api.endAccess, async ({ actor }) => {
    const { user, id } = memberOf(actor);
    return db.write(async (queries) => ({
      sessions: await endSessions(queries, user.id, id),
      tokens: await revokeTokens(queries, user.id),
    }));
  }),

  bind(api.getLimits, async ({ actor }) => {
    const { user } = memberOf(actor);
    const { id: _id, kind: _kind, created_at: _created, name, ...limits } = await groupById(db.read, user.group_id);
    const image_count = user.image_count - (await countTrash(db.read, user.id));
    return { group: name, storage_used_bytes: user.storage_used_bytes, image_count, ...limits };
  }),
];
