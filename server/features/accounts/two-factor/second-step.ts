import type * as api from '#api/auth/auth.ts';
import type { RouteData } from '#api/contract.ts';
import { hasPasskey } from '#server/core/accounts/passkeys.ts';
import { signIn, type Visit } from '#server/core/accounts/sign-in.ts';
import { hasTwoFactor, mustHaveTwoFactor } from '#server/core/accounts/two-factor.ts';
import type { Context } from '#server/core/context.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { presentUser } from '../present-user.ts';
import { setStepCookie } from './step-cookie.ts';

/** Signs in a user who has sent the right password, or lets the browser continue with the second step. */
export async function signInByPassword(
  context: Pick<Context, 'db' | 'secrets' | 'limits' | 'settings'>,
  user: UserRow,
  visit: Visit,
): Promise<RouteData<typeof api.login>> {
  const { db, secrets, settings } = context;
  const enabled = await hasTwoFactor(db.read, user.id);
  if (enabled || mustHaveTwoFactor(settings.current().two_factor_required, user)) {
    setStepCookie(secrets, visit.request, visit.response, user);
    // The password alone must not add a second factor to an account that has one.
    return { user: null, second_step: enabled ? 'code' : (await hasPasskey(db.read, user.id)) ? 'passkey' : 'enrol' };
  }
  await signIn(context, user, 'password', visit);
  return { user: presentUser(user), second_step: null };
}
