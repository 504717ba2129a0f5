import type { Route } from '#api/contract.ts';
import { ForbiddenError, UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Actor, Member } from './actor.ts';

type RouteAccess = Pick<Route, 'access' | 'uploadScope' | 'metricsScope'>;

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
  if (isForMetrics(member) && !route.metricsScope) return 'This token can only read metrics. Use another one for this.';
  if (member.via === 'token' && !route.metricsScope) return 'Tokens can’t do this. Sign in to your account.';
  if (route.access === 'owner') return 'Only the owner can do this.';
  return route.access === 'admin' ? 'Only administrators can do this.' : 'You don’t have permission to do this.';
}

/** The member behind a route that only members may call. */
export function memberOf(actor: Actor): Member {
  if (actor.kind === 'guest') throw new UnauthorizedError();
  return actor;
}
