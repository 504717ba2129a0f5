import type { Request } from 'express';
import type { Oidc } from '#api/auth/oidc.ts';
import * as api from '#api/auth/oidc.ts';
import { API_PREFIX, MASKED_SECRET } from '#api/constants.ts';
import { type Actor, auditOrigin } from '#server/core/accounts/actor.ts';
import { anyone, callerOf, memberOf } from '#server/core/accounts/authorize.ts';
import { confirmIdentity } from '#server/core/accounts/confirm-identity.ts';
import { createFailureNotes, signIn } from '#server/core/accounts/sign-in.ts';
import type { Context } from '#server/core/context.ts';
import { bind, bindRedirect } from '#server/core/routes.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { createNotes } from '#server/platform/base/notes.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { accountOf, listClaimed } from './accounts.ts';
import { configureProvider } from './configure.ts';
import { type Flow, setFlowCookie, takeFlowCookie } from './flow-cookie.ts';
import { linkPerson, listIdentities, unlink } from './linking.ts';
import type { OidcProvider } from './provider.ts';
import { isReady, type OidcStore, requireUnchanged } from './provider.ts';
import { SignOnError } from './sign-on-error.ts';

/** The page that starts a link and shows its result. */
const LINK_PAGE = '/settings/account';

/** Loaded with the first sign-on, with a large library: most services have no provider. */
const signOn = () => import('./sign-on.ts');

export function oidcRoutes({ db, oidc, links, secrets, log, limits, passwordGuard, opaque }: Context & { oidc: OidcStore }) {
  const noteFailure = createFailureNotes(db, limits);
  const noteNowAndThen = createNotes();
  const redirectUri = () => `${links.address()}${API_PREFIX}${api.oidcCallback.path}`;

  /** The address of a page that shows the fault; the log has the cause. */
  function backTo(page: string, error: unknown): string {
    if (!(error instanceof SignOnError)) throw error;
    const { fault } = error;
    noteNowAndThen(fault, (failed) => log.warn({ err: error, fault, failed }, 'single sign-on failed'));
    return withFault(page, error);
  }

  async function readyProvider() {
    const provider = await oidc.read();
    if (!isReady(provider)) throw new NotFoundError('Single sign-on is turned off.');
    return provider;
  }

  /** The person behind a callback of the provider. */
  async function personOf(request: Request, flow: Flow | undefined) {
    const provider = await oidc.read();
    if (!flow || !isReady(provider)) throw new SignOnError('oidc_failed', 'no sign-on is in progress in this browser');
    const callback = new URL(`${redirectUri()}?${new URLSearchParams(request.query as Record<string, string>)}`);
    return { provider, person: await (await signOn()).completeSignOn(provider, callback, flow) };
  }

  return [
    bind(api.getOidc, async () => presentProvider(await oidc.read(), redirectUri())),

    bind(api.putOidc, async (call) => {
      const provider = await configureProvider(db, oidc, call.caller, call.body, auditOrigin(call));
      const { diagnose } = await import('./diagnosis.ts');
      const claimed = provider.groupsClaim === '' ? [] : await listClaimed(db.read, provider);
      return { ...presentProvider(provider, redirectUri()), discovery: { ...(await diagnose(provider, redirectUri())), claimed } };
    }),

    bindRedirect(api.startOidc, async ({ query: { next = '/', moved }, request, response }) => {
      const provider = await readyProvider();
      // The provider redirects to the link address only, and the cookie must be set there.
      if (!moved && !isUnder(request, links.address()))
        return `${links.address()}${API_PREFIX}${api.startOidc.path}?${new URLSearchParams({ moved: '1', next })}`;
      try {
        const { beginSignOn } = await signOn();
        const { url, flow } = await beginSignOn(provider, redirectUri(), next);
        setFlowCookie(secrets, request, response, flow);
        return url;
      } catch (error) {
        return backTo('/login', error);
      }
    }),

    bindRedirect(api.oidcCallback, async ({ actor, query, request, response }) => {
      const origin = auditOrigin({ actor, request });
      const flow = takeFlowCookie(secrets, request, response, query.state);
      // An old tab, or the back button: the user has signed in meanwhile.
      if (!flow && actor.kind === 'member' && actor.via === 'session') return '/';
      if (flow?.link) {
        try {
          const user = requireLinking(actor, flow.link);
          const { person } = await personOf(request, flow);
          await linkPerson(db.as(callerOf({ access: 'session' }, actor)), user, person, origin);
          return `${flow.next}?linked=1`;
        } catch (error) {
          return backTo(LINK_PAGE, error);
        }
      }
      try {
        const { provider, person } = await personOf(request, flow);
        const user = await db.as(anyone).write(async (queries) => {
          await requireUnchanged(queries, provider);
          return accountOf(queries, person, { rules: provider, origin, now: Date.now() });
        });
        await signIn({ db, secrets, limits }, { actor, request, response }, { user, method: 'oidc' });
        return flow?.next ?? '/';
      } catch (error) {
        if (!(error instanceof SignOnError)) throw error;
        const isNoted = await noteFailure(origin, { method: 'oidc', account: error.who, reason: error.fault });
        // Anyone can call this address: a call that completes no sign-on, or one of many, must not fill the log.
        return flow && isNoted ? backTo('/login', error) : withFault('/login', error);
      }
    }),

    bind(api.getSignOnLinks, async ({ actor }) => ({
      available: isReady(await oidc.read()),
      links: (await listIdentities(db.read, memberOf(actor).user.id)).map(({ id, issuer, created_at }) => ({
        id: opaque.of('identity', id),
        issuer,
        created_at: toInstant(created_at),
      })),
    })),

    // A POST with a checked Origin: a link to it could let another site link a victim's account to the attacker's identity.
    bind(api.linkSignOn, async ({ actor, body, request, response }) => {
      const member = memberOf(actor);
      const provider = await readyProvider();
      const address = links.address();
      if (!isUnder(request, address) && request.headers.origin !== new URL(address).origin)
        throw new RequestError('conflict', `Open Pixdock at ${address} and sign in there: the provider redirects only to that address.`, {
          problem: 'other_address',
          subject: address,
        });
      await confirmIdentity({ db, passwordGuard }, member, body.current_password);
      const { beginSignOn } = await signOn();
      const { url, flow } = await beginSignOn(provider, redirectUri(), LINK_PAGE).catch((error: unknown) => {
        noteNowAndThen('linking', (failed) => log.warn({ err: error, failed }, 'single sign-on failed'));
        throw new RequestError('unavailable', 'The sign-in service isn’t responding. Try again in a moment.');
      });
      setFlowCookie(secrets, request, response, { ...flow, link: { userId: member.user.id, sessionId: member.id } });
      return { url };
    }),

    bind(api.unlinkSignOn, async (call) => {
      const member = memberOf(call.actor);
      await confirmIdentity({ db, passwordGuard }, member, call.body.current_password);
      await unlink(db.as(call.caller), { userId: member.user.id, id: opaque.idOf('identity', call.params.id) }, auditOrigin(call));
      return {};
    }),
  ];
}

const withFault = (page: string, { fault }: SignOnError) => `${page}?error=${fault}`;

/** The user of the session that has started a link; in any other session, completing it would link another user's account. */
function requireLinking(actor: Actor, { userId, sessionId }: NonNullable<Flow['link']>): UserRow {
  if (actor.kind === 'member' && actor.via === 'session' && actor.id === sessionId && actor.user.id === userId) return actor.user;
  throw new SignOnError('oidc_failed', 'the session that started the link has ended');
}

/** Whether a request was sent to an address. The protocol doesn't matter, since a proxy may have changed it. */
function isUnder(request: Request, address: string): boolean {
  const { protocol, host } = new URL(address);
  return URL.parse(`${protocol}//${request.host}`)?.host === host;
}

/** The provider as admins see it, without its secret. */
function presentProvider(provider: OidcProvider, redirectUri: string): Oidc {
  return {
    enabled: provider.enabled,
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret === null ? '' : MASKED_SECRET,
    auto_create: provider.autoCreate,
    allowed_email_domains: provider.allowedEmailDomains,
    allow_insecure_issuer: provider.allowInsecureIssuer,
    trust_email: provider.trustEmail,
    allowed_tenants: provider.allowedTenants,
    groups_claim: provider.groupsClaim,
    group_map: provider.groupMap,
    redirect_uri: redirectUri,
  };
}
