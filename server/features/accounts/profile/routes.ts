import * as api from '#api/auth/user.ts';
import { AVATAR_SIDES, MAX_AVATAR_BYTES } from '#api/constants.ts';
import { formatsWith } from '#api/formats.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { avatarUrlOf, readAvatar, removeAvatar, storeAvatar } from '#server/core/accounts/avatars.ts';
import { callerTurn } from '#server/core/accounts/caller-turn.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { rememberDevice } from '#server/core/accounts/known-device.ts';
import { presentSession } from '#server/core/accounts/present-access.ts';
import { clearSessionCookie } from '#server/core/accounts/session-cookie.ts';
import { closeOwnSession, endSessions, listSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { isDeleted } from '#server/core/deletion/start.ts';
import { countTrash } from '#server/core/images/lifetime/trash.ts';
import { bind, bindBinary } from '#server/core/routes.ts';
import { NotFoundError, requireFound, UnauthorizedError } from '#server/platform/base/errors.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { receiveForm, requireFile } from '#server/platform/http/form.ts';
import { sendEmblem } from '#server/platform/http/send-emblem.ts';
import type { Decoding } from '#server/platform/imaging/decoding.ts';
import { makeEmblem } from '#server/platform/imaging/emblem.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import { changePassword, changePreferences, changeProfile, deleteOwnAccount, presentProfile } from './profile.ts';

export const userRoutes = ({ db, passwordGuard, secrets, staging, decoding, opaque }: Context) => [
  bind(api.getProfile, async ({ actor }) => {
    const { user } = memberOf(actor);
    return presentProfile(user, await groupById(db.read, user.group_id));
  }),

  bind(api.changeProfile, async ({ actor, caller, body }) => {
    const user = await changeProfile({ db: db.as(caller), passwordGuard }, memberOf(actor), body);
    return presentProfile(user, await groupById(db.read, user.group_id));
  }),

  bind(api.putAvatar, async ({ actor, caller, request, response }) => {
    const { user } = memberOf(actor);
    await using form = await receiveForm(request, response, staging, { maxBytes: MAX_AVATAR_BYTES });
    const own = decoding.as({ ...callerTurn(actor, response), purpose: 'upload' });
    const avatar = await changeAvatar(db.as(caller), user.id, requireFile(form), own);
    return { avatar_url: avatarUrlOf({ id: user.id, avatar }) };
  }),

  bind(api.deleteAvatar, async ({ actor, caller }) => {
    await db.as(caller).write((queries) => removeAvatar(queries, memberOf(actor).user.id));
    return { avatar_url: null };
  }),

  bindBinary(api.getAvatar, async ({ params: { id }, query: { v: version, size: side }, request, response }) => {
    const content = requireFound(await readAvatar(db.read, { id, version, side }), 'There’s no such avatar. It may have been changed.');
    sendEmblem(request, response, { content, mime: 'image/webp', version: `${version}-${side}`, isVersioned: true, scope: 'private' });
  }),

  bind(api.changePreferences, async ({ actor, caller, body }) => changePreferences(db.as(caller), memberOf(actor).user.id, body)),

  bind(api.changePassword, async ({ actor, caller, body, request, response }) => {
    rememberDevice(secrets, request, response, await changePassword({ db: db.as(caller), passwordGuard }, memberOf(actor), body));
    return {};
  }),

  bind(api.listSessions, async ({ actor, query }) => {
    const member = memberOf(actor);
    return mapPage(await listSessions(db, member.user.id, query), (row) => presentSession(row, member, opaque));
  }),

  bind(api.endSession, async ({ actor, caller, params }) => {
    if (!(await closeOwnSession(db.as(caller), memberOf(actor).user.id, opaque.idOf('session', params.id))))
      throw new NotFoundError('This session no longer exists. Reload the list.');
    return {};
  }),

  bind(api.endOtherSessions, async ({ actor, caller }) => {
    const { user, via, id } = memberOf(actor);
    await db.as(caller).write((queries) => endSessions(queries, user.id, via === 'session' ? id : undefined));
    return {};
  }),

  bind(api.deleteAccount, async ({ actor, caller, body, request, response }) => {
    const origin = auditOrigin({ actor, request });
    await deleteOwnAccount({ db: db.as(caller), passwordGuard }, memberOf(actor), body.current_password, origin);
    clearSessionCookie(request, response);
    return {};
  }),

  bind(api.endAccess, async ({ actor, caller }) => {
    const { user, id } = memberOf(actor);
    return db.as(caller).write(async (queries) => ({
      sessions: await endSessions(queries, user.id, id),
      tokens: await revokeTokens(queries, user.id),
    }));
  }),

  bind(api.getLimits, async ({ actor }) => {
    const { user, scope } = memberOf(actor);
    const { id: _id, kind: _kind, created_at: _created, listed: _listed, name, ...limits } = await groupById(db.read, user.group_id);
    const image_count = user.image_count - (await countTrash(db.read, user.id));
    return { username: user.username, scope, group: name, storage_used_bytes: user.storage_used_bytes, image_count, ...limits };
  }),
];

const VERSIONS = AVATAR_SIDES.map((side) => ({ side, to: 'webp' as const }));

/**
 * Makes an upload a user's avatar, and returns its version.
 * @throws ImageError or RequestError with the reason
 */
async function changeAvatar(db: WritableDatabase, userId: number, file: StagedFile, decoding: Decoding): Promise<string> {
  const { versions } = await makeEmblem(
    file,
    formatsWith('avatar'),
    { side: Math.max(...AVATAR_SIDES), fit: 'square', versions: VERSIONS },
    decoding,
  );
  return db.write(async (queries) => {
    // The account may have been deleted meanwhile.
    if (await isDeleted(queries, userId)) throw new UnauthorizedError();
    return storeAvatar(queries, userId, versions);
  });
}
