import type { Request } from 'express';
import { z } from 'zod';
import * as api from '#api/auth/passkeys.ts';
import { MINUTE_MS } from '#api/durations.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { confirmIdentity } from '#server/core/accounts/confirm-identity.ts';
import { createFailureNotes, signIn } from '#server/core/accounts/sign-in.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { InvalidRequestError, RequestError, UnauthorizedError } from '#server/platform/base/errors.ts';
import { randomSecret } from '#server/platform/base/secret-text.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { presentUser } from '../present-user.ts';
import { authenticationOptions, registrationOptions, verifyPasskey, verifyRegistration } from './ceremonies.ts';
import { type PasskeySite, passkeySite } from './site.ts';
import { insertPasskey, passkeysOf, presentPasskey, removePasskey, renamePasskey } from './store.ts';

/** Passkeys: adding them, and signing in with them. */
export function passkeyRoutes(context: Context) {
  const { db, secrets, settings, links, limits, passwordGuard, opaque } = context;
  const tickets = createTickets(secrets, context.limits);
  const noteFailure = createFailureNotes(db, limits);
  const siteOf = (request: Request) => passkeySite(request, links.configuredBaseUrl());

  function requireSite(request: Request): PasskeySite {
    const site = siteOf(request);
    if (!site)
      throw new RequestError('conflict', 'Passkeys work only at an https address with a host name, or at localhost.', {
        problem: 'passkeys_need_https',
      });
    return site;
  }

  return [
    bind(api.listPasskeys, async ({ actor, request }) => ({
      available: siteOf(request) !== undefined,
      passkeys: (await passkeysOf(db.read, memberOf(actor).user.id)).map((row) => presentPasskey(row, opaque)),
    })),

    bind(api.offerPasskey, async ({ actor, body, request }) => {
      const member = memberOf(actor);
      const site = requireSite(request);
      await confirmIdentity({ db, passwordGuard }, member, body.current_password);
      const { challenge, ticket } = tickets.issue(member.user.id);
      const known = await passkeysOf(db.read, member.user.id);
      const options = await registrationOptions({ secrets, site, user: member.user, known, challenge, name: settings.current().site_name });
      return { options: { ...options }, ticket };
    }),

    bind(api.addPasskey, async ({ actor, caller, body, request }) => {
      const { user } = memberOf(actor);
      const site = requireSite(request);
      const challenge = await tickets.challengeOf(body.ticket, user.id);
      const created = challenge && (await verifyRegistration(body.credential, site, challenge));
      if (!created || !(await tickets.spend(challenge)))
        throw new InvalidRequestError('The passkey couldn’t be verified. Try again.', {
          field: 'credential',
          problem: 'passkey_unverified',
        });
      const passkey = { ...created, user_id: user.id, host: site.host, name: body.name, created_at: Date.now() };
      return presentPasskey(await insertPasskey(db.as(caller), user, passkey, auditOrigin({ actor, request })), opaque);
    }),

    bind(api.renamePasskey, async ({ actor, caller, params, body }) =>
      presentPasskey(await renamePasskey(db.as(caller), memberOf(actor).user.id, opaque.idOf('passkey', params.id), body.name), opaque),
    ),

    bind(api.removePasskey, async ({ actor, caller, params, body, request }) => {
      const member = memberOf(actor);
      await confirmIdentity({ db, passwordGuard }, member, body.current_password);
      await removePasskey(db.as(caller), member.user, opaque.idOf('passkey', params.id), auditOrigin({ actor, request }));
      return {};
    }),

    bind(api.askForPasskey, async ({ request }) => {
      const { challenge, ticket } = tickets.issue(null);
      return { options: { ...(await authenticationOptions(requireSite(request), challenge)) }, ticket };
    }),

    bind(api.signInByPasskey, async ({ body: { ticket, credential }, ...visit }) => {
      const site = siteOf(visit.request);
      const challenge = await tickets.challengeOf(ticket, null);
      const found = site && challenge ? await verifyPasskey(context, credential, { site, challenge }) : undefined;
      if (found?.user && found.isRight && challenge && (await tickets.spend(challenge))) {
        await signIn(context, visit, { user: found.user, method: 'passkey' });
        return { user: presentUser(found.user) };
      }
      const reason = found?.user ? (found.user.disabled_at === null ? 'wrong_passkey' : 'disabled') : 'unknown_passkey';
      await noteFailure(auditOrigin(visit), { method: 'passkey', account: found?.user?.username ?? '', reason });
      throw new UnauthorizedError('This passkey isn’t valid here. Try again, or sign in with your password.');
    }),
  ];
}

const PURPOSE = 'passkey-ticket';
const LIFETIME_MS = 5 * MINUTE_MS;

/** What a challenge is for: adding a passkey to an account, or signing in (null). */
type For = number | null;

/** Challenges for passkeys. The client keeps them, encrypted, so that anonymous requests can't fill any memory. */
interface Tickets {
  issue(userId: For): { challenge: string; ticket: string };
  /** The challenge of a ticket; undefined when it is for something else, too old, or spent. */
  challengeOf(ticket: string, userId: For): Promise<string | undefined>;
  /** Allows no second use of a challenge. Returns false when it was spent meanwhile. */
  spend(challenge: string): Promise<boolean>;
}

const schema = z.object({ userId: z.number().nullable(), challenge: z.string(), expires: z.number() });

function createTickets(secrets: Secrets, limits: Limits): Tickets {
  const key = secrets.key(PURPOSE);
  // Only those that an authenticator has signed get here.
  const spent = limits.counter('spent challenges of passkeys', { points: 1, duration: LIFETIME_MS / 1000, durable: true, keepsAll: true });
  return {
    issue(userId) {
      const challenge = randomSecret();
      return { challenge, ticket: seal(key, JSON.stringify({ userId, challenge, expires: Date.now() + LIFETIME_MS })) };
    },
    async challengeOf(ticket, userId) {
      const text = unseal(key, ticket);
      const issued = text === undefined ? undefined : schema.parse(JSON.parse(text));
      if (!issued || issued.userId !== userId || issued.expires <= Date.now()) return undefined;
      if (await spent.get(issued.challenge)) return undefined;
      return issued.challenge;
    },
    spend: async (challenge) => (await spent.penalty(challenge)).consumedPoints === 1,
  };
}
