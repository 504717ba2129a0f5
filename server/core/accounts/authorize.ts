import type { Route } from '#api/contract.ts';
import { ForbiddenError, UnauthorizedError } from '#server/platform/base/errors.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Caller, Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { Actor, Member } from './actor.ts';

type RouteAccess = Pick<Route, 'access' | 'uploadScope' | 'deviceScope' | 'metricsScope'>;

/**
 * Checks the access that a route declares.
 * @throws UnauthorizedError for guests, ForbiddenError for a signed-in caller without the right
 */
export function authorize(route: RouteAccess, actor: Actor): void {
  // Open routes treat a metrics token as a guest. Uploads with it would belong to its user, so they are refused.
  if (route.access === 'open' && !(route.uploadScope && isForMetrics(actor))) return;
  if (actor.kind === 'guest') throw new UnauthorizedError();
  if (!mayCall(route, actor)) throw new ForbiddenError(whyNot(route, actor));
}

function mayCall(route: RouteAccess, member: Member): boolean {
  if (member.scope === 'upload') return route.uploadScope === true;
  if (member.scope === 'device') return route.uploadScope === true || route.deviceScope === true;
  if (isForMetrics(member) && !route.metricsScope) return false;
  if (route.access === 'user') return true;
  if (member.via !== 'session' && !route.metricsScope) return false;
  if (route.access === 'owner') return member.user.is_owner === 1;
  return route.access === 'session' || member.user.role === 'admin';
}

function isForMetrics(actor: Actor): boolean {
  return actor.kind === 'member' && actor.scope === 'metrics';
}

function whyNot(route: RouteAccess, member: Member): string {
  if (member.scope === 'upload') return 'This token can only upload. Create one with full access for this.';
  if (member.scope === 'device')
    return 'This token belongs to an app that can upload, and show what is sent to its user. Create one with full access for this.';
  if (isForMetrics(member) && !route.metricsScope) return 'This token can only read metrics. Use another one for this.';
  if (member.via === 'token' && !route.metricsScope) return 'Tokens can’t do this. Sign in to your account.';
  if (route.access === 'owner') return 'Only the owner can do this.';
  return route.access === 'admin' ? 'Only administrators can do this.' : 'You don’t have permission to do this.';
}

/**
 * The caller of a route, as the author of what it writes: each unit checks that the session or token, the account and its role still allow the route. A guest
 * has nothing that could end, and an open route needs no session, except for uploads, which would otherwise become another's.
 */
export function callerOf(route: RouteAccess, actor: Actor): Caller {
  if (actor.kind === 'guest' || (route.access === 'open' && !route.uploadScope)) return anyone;
  return { confirm: async (queries) => authorize(route, await presentActor(queries, actor)) };
}

/** The caller of a request as it is now. @throws UnauthorizedError when its session or token has ended */
export async function presentActor(queries: Queries, actor: Actor): Promise<Actor> {
  if (actor.kind === 'guest') return actor;
  const user = await userStillBehind(queries, actor);
  if (!user) throw new UnauthorizedError(ENDED[actor.via]);
  return { ...actor, user };
}

/** A caller whose rights come from settings, or from what it sends, such as a password or a link's secret. The unit of writing checks those itself. */
export const anyone: Caller = { confirm: async () => undefined };

const ENDED = {
  session: 'You’re no longer signed in. Sign in and try again.',
  token: 'This token isn’t valid any more. It may have expired or been revoked. Create a new one under Settings → API tokens.',
};

/** The enabled user of a session or token that a request began with; undefined once it has ended or expired, or the account is disabled. */
export async function userStillBehind(queries: Queries, { via, id, user }: Member): Promise<UserRow | undefined> {
  const values = { id, user_id: user.id, now: Date.now() };
  const { rows } = await (via === 'session' ? behindSession(queries, values) : behindToken(queries, values));
  return rows[0];
}

interface Credential {
  id: number;
  user_id: number;
  now: number;
}

const behindSession = compileOnce((queries, { id, user_id, now }: Credential) =>
  queries
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.id', '=', id)
    .where('sessions.user_id', '=', user_id)
    .where('sessions.expires_at', '>', now)
    .where('disabled_at', 'is', null),
);

const behindToken = compileOnce((queries, { id, user_id, now }: Credential) =>
  queries
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .where('tokens.id', '=', id)
    .where('tokens.user_id', '=', user_id)
    .where((row) => row.or([row('tokens.expires_at', 'is', null), row('tokens.expires_at', '>', now)]))
    .where('disabled_at', 'is', null),
);

/** The member behind a route that only members may call. */
export function memberOf(actor: Actor): Member {
  if (actor.kind === 'guest') throw new UnauthorizedError();
  return actor;
}
