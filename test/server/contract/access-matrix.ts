/**
 * The callers of the access matrix. `user` owns the resources that requests name, and the upload, device and full tokens are hers; `second` is another user, and `guest` is
 * a caller without an account while guests may upload. `metrics token` is an admin's.
 */
export const CALLERS = [
  'anonymous',
  'guest',
  'second',
  'metrics token',
  'owner',
  'admin',
  'upload token',
  'device token',
  'full token',
  'user',
] as const;
export type Caller = (typeof CALLERS)[number];

/** What a caller gets: past all access checks, or the status of a refusal. */
export type Outcome = 'in' | 401 | 403 | 404;

export interface Row {
  outcomes: Record<Caller, Outcome>;
  /** What the request uses up, of which each caller that gets in needs one of its own: what it names, or the session or token that it comes with. */
  uses?: 'resource' | 'credentials';
}

const row = (refused: Partial<Record<Caller, Outcome>>): Row => ({
  outcomes: Object.fromEntries(
    // A token of a device may do what an upload token may, unless a row says otherwise.
    CALLERS.map((caller) => [caller, refused[caller] ?? (caller === 'device token' ? refused['upload token'] : undefined) ?? 'in']),
  ) as Row['outcomes'],
});
const using = (uses: Row['uses'], one: Row): Row => ({ ...one, uses });

/** Without an account, or with a token that reads metrics only. */
const STRANGERS = { anonymous: 401, guest: 401, 'metrics token': 403 } as const;
const TOKENS = { 'upload token': 403, 'full token': 403 } as const;
const OTHERS = { second: 404, owner: 404, admin: 404 } as const;

/** Anyone. */
const OPEN = row({});
/** Any account, by a session or a token that may do anything. What it returns is the caller's own. */
const MEMBER = row({ ...STRANGERS, 'upload token': 403 });
/** Any account, by a token of a device as well. */
const DEVICE = row({ ...STRANGERS, 'upload token': 403, 'device token': 'in' });
/** Any account, by a token that may only upload as well. */
const UPLOADER = row(STRANGERS);
/** Any account, by a session only. */
const SESSION = row({ ...STRANGERS, ...TOKENS });
/** The user whose resource it is. To others, admins included, there is none. */
const OWN = row({ ...STRANGERS, ...OTHERS, 'upload token': 403 });
/** The same, by a session only. */
const OWN_SESSION = row({ ...STRANGERS, ...OTHERS, ...TOKENS });
/** Admins, by a session only. */
const ADMIN = row({ ...STRANGERS, ...TOKENS, second: 403, user: 403 });
/** The owner of the service, by a session only. */
const OWNER = row({ ...STRANGERS, ...TOKENS, second: 403, user: 403, admin: 403 });

/** A link to a private picture or album: there is none, except for its owner and admins. */
const LINK = row({ anonymous: 404, guest: 404, second: 404, 'metrics token': 404, 'upload token': 404 });
/** Refused to everyone, since the request isn't complete: a wrong password or secret, no invite. */
const everyone = (outcome: Outcome) => row(Object.fromEntries(CALLERS.map((caller) => [caller, outcome])));

/** The row of every operation in the OpenAPI document, paths below `/api/v1`. */
export const MATRIX: Readonly<Record<string, Row>> = {
  'POST /upload': row({ anonymous: 403, 'metrics token': 403 }),
  'PUT /images/{key}/file': OWN,
  'PUT /images/{key}/poster': OWN,
  'POST /upload/url': UPLOADER,
  'POST /setup': OPEN,
  'POST /auth/register': everyone(403),
  'POST /auth/invite': everyone(403),
  'POST /auth/login': everyone(401),
  'POST /auth/code': everyone(401),
  'POST /auth/enrol': everyone(401),
  'PUT /auth/enrol': everyone(401),
  'POST /auth/passkey/options': OPEN,
  'POST /auth/passkey': everyone(401),
  'POST /auth/logout': using('credentials', OPEN),
  'GET /auth/session': OPEN,
  'GET /config': OPEN,
  'GET /branding/{name}': OPEN,
  'PUT /admin/branding/logo': ADMIN,
  'DELETE /admin/branding/logo': ADMIN,
  'PUT /user/avatar': MEMBER,
  'DELETE /user/avatar': MEMBER,
  'GET /avatars/{id}': MEMBER,
  'GET /events': DEVICE,
  'GET /images': MEMBER,
  'GET /images/count': MEMBER,
  'GET /images/timeline': MEMBER,
  'GET /images/placeholders': MEMBER,
  'GET /images/months': MEMBER,
  'GET /images/duplicates': MEMBER,
  'POST /images/duplicates/keep': MEMBER,
  'POST /images/duplicates/review': MEMBER,
  'GET /tags': MEMBER,
  'GET /images/download': MEMBER,
  'GET /user/export': MEMBER,
  'POST /images/batch': using('resource', MEMBER),
  'GET /images/{key}/versions': OWN,
  // The picture in the trash is no version of the other one, even for their owner.
  'POST /images/{key}/versions/{version}/restore': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, user: 404, 'full token': 404 }),
  'GET /images/{key}': OWN,
  'PATCH /images/{key}': OWN,
  'DELETE /images/{key}': using('resource', OWN),
  'DELETE /images/{key}/text': OWN,
  'GET /slugs/{slug}': MEMBER,
  'GET /images/{key}/text': OWN,
  'GET /images/{key}/views': OWN,
  'GET /user/views': MEMBER,
  'GET /trash': MEMBER,
  'GET /trash/batches': MEMBER,
  'GET /trash/{key}/thumbnail': OWN,
  'POST /trash/restore': MEMBER,
  'POST /trash/purge': using('resource', MEMBER),
  'POST /trash/empty': MEMBER,
  'GET /admin/backup': ADMIN,
  'POST /admin/backup': ADMIN,
  'GET /admin/backup/stream': ADMIN,
  'GET /admin/backup/files/{name}': ADMIN,
  'DELETE /admin/backup/files/{name}': ADMIN,
  'PUT /admin/backup/schedule': ADMIN,
  'POST /admin/backup/schedule/run': ADMIN,
  'POST /admin/restore': ADMIN,
  'DELETE /admin/restore': ADMIN,
  'POST /admin/restore/choose': ADMIN,
  'POST /admin/restore/restart': ADMIN,
  'DELETE /admin/restore/report': ADMIN,
  'GET /user/limits': UPLOADER,
  'GET /user/tokens': SESSION,
  'POST /user/tokens': SESSION,
  'DELETE /user/tokens/{id}': using('resource', OWN_SESSION),
  'POST /device/requests': OPEN,
  'POST /device/find': SESSION,
  'POST /device/decision': SESSION,
  'POST /device/token': OPEN,
  'POST /phone/codes': SESSION,
  'POST /phone/find': SESSION,
  'POST /phone/decision': SESSION,
  'POST /phone/requests': OPEN,
  'POST /phone/token': OPEN,
  'DELETE /user/token': using('credentials', UPLOADER),
  'GET /admin/invites': ADMIN,
  'POST /admin/invites': ADMIN,
  'DELETE /admin/invites/{id}': ADMIN,
  'GET /user': MEMBER,
  'GET /user/text': MEMBER,
  'GET /team': MEMBER,
  'GET /team/new': MEMBER,
  'PATCH /user': MEMBER,
  'DELETE /user': SESSION,
  'PATCH /user/preferences': MEMBER,
  'PUT /user/password': SESSION,
  'GET /user/sessions': MEMBER,
  'DELETE /user/sessions': using('credentials', MEMBER),
  'DELETE /user/sessions/{id}': using('resource', OWN),
  'DELETE /user/access': using('credentials', SESSION),
  'GET /user/two-factor': SESSION,
  'POST /user/two-factor': SESSION,
  'PUT /user/two-factor': SESSION,
  'POST /user/two-factor/recovery-codes': SESSION,
  'POST /user/two-factor/disable': SESSION,
  'GET /user/passkeys': SESSION,
  'POST /user/passkeys/options': SESSION,
  'POST /user/passkeys': SESSION,
  'PATCH /user/passkeys/{id}': SESSION,
  'DELETE /user/passkeys/{id}': SESSION,
  'GET /admin/oidc': ADMIN,
  'PUT /admin/oidc': OWNER,
  'GET /auth/oidc/start': OPEN,
  'GET /auth/oidc/callback': OPEN,
  'GET /user/sign-on': SESSION,
  'POST /user/sign-on': SESSION,
  'DELETE /user/sign-on/{id}': SESSION,
  'GET /s/{key}': LINK,
  'POST /s/{key}/unlock': LINK,
  'GET /delete/{key}/{secret}': everyone(404),
  'POST /delete/{key}/{secret}': everyone(404),
  'GET /a/{id}': LINK,
  'GET /a/{id}/images': LINK,
  'GET /a/{id}/download': LINK,
  'POST /a/{id}/unlock': LINK,
  'GET /albums': MEMBER,
  'POST /albums': MEMBER,
  'POST /albums/order': MEMBER,
  'GET /albums/{id}': OWN,
  'PATCH /albums/{id}': OWN,
  'DELETE /albums/{id}': using('resource', OWN),
  'GET /albums/{id}/hidden': OWN,
  'GET /albums/{id}/images': OWN,
  'POST /albums/{id}/requests': OWN,
  'GET /albums/{id}/requests': OWN,
  'PATCH /albums/{id}/requests/{request}': OWN,
  'DELETE /albums/{id}/requests/{request}': using('resource', OWN),
  'GET /albums/{id}/requests/{request}/received': OWN,
  'GET /requests/received/{batch}': MEMBER,
  'GET /r/{id}': OPEN,
  'POST /r/{id}/unlock': OPEN,
  'POST /r/{id}/upload': OPEN,
  'POST /r/{id}/done': OPEN,
  'GET /r/{id}/pictures': OPEN,
  'GET /r/{id}/pictures/{file}': OPEN,
  'GET /r/{id}/remove': OPEN,
  'GET /r/{id}/remove/{file}': OPEN,
  'POST /r/{id}/remove/{file}': OPEN,
  'POST /albums/{id}/images': OWN,
  'POST /albums/{id}/images/remove': OWN,
  'POST /albums/{id}/images/order': OWN,
  // Members have rows in `member-access.test.ts`. The one to remove doesn't exist.
  'GET /albums/{id}/members': OWN,
  'PUT /albums/{id}/members': OWN,
  'DELETE /albums/{id}/groups/{group_id}': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, 'full token': 404, user: 404 }),
  'DELETE /albums/{id}/everyone': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, 'full token': 404, user: 404 }),
  'DELETE /albums/{id}/members/{user_id}': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, 'full token': 404, user: 404 }),
  // Recipients have rows in `sent-access.test.ts`; the sender isn't one of them.
  'POST /sent': OWN,
  'GET /sent': DEVICE,
  'POST /sent/{id}/seen': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, 'full token': 404, user: 404 }),
  'DELETE /sent/{id}': using('resource', OWN),
  'GET /albums/{id}/received': OWN,
  // The picture is the user's own: it wasn't sent to them.
  'POST /albums/{id}/received': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, 'full token': 404, user: 404 }),
  'DELETE /albums/{id}/received/{key}': row({ ...STRANGERS, ...OTHERS, 'upload token': 403, 'full token': 404, user: 404 }),
  'GET /admin/settings': ADMIN,
  'PATCH /admin/settings': ADMIN,
  'GET /admin/users': ADMIN,
  'POST /admin/users': ADMIN,
  'GET /admin/users/{id}': ADMIN,
  'PATCH /admin/users/{id}': ADMIN,
  'DELETE /admin/users/{id}': ADMIN,
  'POST /admin/users/{id}/reset-password': ADMIN,
  'GET /admin/users/{id}/access': ADMIN,
  'DELETE /admin/users/{id}/access': ADMIN,
  'DELETE /admin/users/{id}/two-factor': ADMIN,
  'POST /admin/users/{id}/transfer': ADMIN,
  'GET /admin/groups': ADMIN,
  'POST /admin/groups': ADMIN,
  'PATCH /admin/groups/{id}': ADMIN,
  'DELETE /admin/groups/{id}': ADMIN,
  'GET /admin/import': ADMIN,
  'POST /admin/import': ADMIN,
  'POST /admin/import/pause': ADMIN,
  'POST /admin/import/continue': ADMIN,
  'DELETE /admin/import': ADMIN,
  'GET /admin/old-addresses': ADMIN,
  'PUT /admin/old-addresses': ADMIN,
  'DELETE /admin/old-addresses': ADMIN,
  'GET /admin/policies': ADMIN,
  'POST /admin/policies': ADMIN,
  'POST /admin/policies/test': ADMIN,
  'PATCH /admin/policies/{id}': ADMIN,
  'DELETE /admin/policies/{id}': ADMIN,
  'POST /admin/policies/{id}/move': ADMIN,
  'DELETE /admin/policies/{id}/move': ADMIN,
  'GET /admin/webhooks': ADMIN,
  'POST /admin/webhooks': ADMIN,
  'PATCH /admin/webhooks/{id}': ADMIN,
  'DELETE /admin/webhooks/{id}': ADMIN,
  'POST /admin/webhooks/{id}/rotate-secret': ADMIN,
  'POST /admin/webhooks/{id}/test': ADMIN,
  'GET /admin/webhooks/{id}/deliveries': ADMIN,
  'POST /admin/webhooks/{id}/deliveries/{delivery_id}/redeliver': ADMIN,
  'GET /admin/images': ADMIN,
  'POST /admin/images/purge': using('resource', ADMIN),
  'GET /admin/audit': ADMIN,
  'GET /admin/stats': ADMIN,
  'GET /admin/views': ADMIN,
  'GET /admin/system': ADMIN,
  'GET /admin/metrics': row({ ...STRANGERS, ...TOKENS, 'metrics token': 'in', second: 403, user: 403 }),
  'GET /admin/system/space': ADMIN,
  'GET /admin/text': ADMIN,
  'POST /admin/system/clean-up': ADMIN,
};
