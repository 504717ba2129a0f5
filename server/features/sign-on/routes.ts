import type { Request } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import * as api from '#api/oidc.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { createFailureNotes, signIn } from '#server/core/accounts/sign-in.ts';
import type { Context } from '#server/core/context.ts';
import { bind, bindRedirect } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { accountOf } from './accounts.ts';
import { configureProvider } from './configure.ts';
import { diagnose } from './diagnosis.ts';
import { setFlowCookie, takeFlowCookie } from './flow-cookie.ts';
import { presentProvider } from './present.ts';
import { isReady, type OidcStore } from './provider.ts';
import { beginSignOn, completeSignOn } from './sign-on.ts';
import { SignOnError } from './sign-on-error.ts';

export function oidcRoutes({ db, oidc, links, secrets, log }: Context & { oidc: OidcStore }) {
  const noteFailure = createFailureNotes(db);
  const redirectUri = () => `${links.address()}${API_PREFIX}${api.oidcCallback.path}`;

  /** The address of the sign-in page, which shows the fault; the log has the cause. */
  function backToLogin(error: unknown): string {
    if (!(error instanceof SignOnError)) throw error;
    log.warn({ err: error, fault: error.fault }, 'single sign-on failed');
    return pageOf(error);
  }

  return [
    bind(api.getOidc, async () => presentProvider(await oidc.read(), redirectUri())),

    bind(api.putOidc, async (call) => {
      const provider = await configureProvider(db, oidc, call.body, auditOrigin(call));
      return { ...presentProvider(provider, redirectUri()), discovery: await diagnose(provider) };
    }),

    bindRedirect(api.startOidc, async ({ query: { next = '/', moved }, request, response }) => {
      const provider = await oidc.read();
      if (!isReady(provider)) throw new NotFoundError('Single sign-on is turned off.');
      // The provider redirects to the link address only, and the cookie must be set there.
      if (!moved && !isUnder(request, links.address()))
        return `${links.address()}${API_PREFIX}${api.startOidc.path}?${new URLSearchParams({ moved: '1', next })}`;
      try {
        const { url, flow } = await beginSignOn(provider, redirectUri(), next);
        setFlowCookie(secrets, request, response, flow);
        return url;
      } catch (error) {
        return backToLogin(error);
      }
    }),

    bindRedirect(api.oidcCallback, async ({ actor, request, response }) => {
      const provider = await oidc.read();
      const origin = auditOrigin({ actor, request });
      const flow = takeFlowCookie(secrets, request, response);
      try {
        if (!flow || !isReady(provider)) throw new SignOnError('oidc_failed', 'no sign-on is in progress in this browser');
        const callback = new URL(`${redirectUri()}?${new URLSearchParams(request.query as Record<string, string>)}`);
        const person = await completeSignOn(provider, callback, flow);
        const user = await db.write((queries) => accountOf(queries, person, provider, origin, Date.now()));
        await signIn(db, user, 'oidc', { actor, request, response });
        return flow.next;
      } catch (error) {
        if (!(error instanceof SignOnError)) throw error;
        const isNoted = await noteFailure(origin, { method: 'oidc', account: error.who, reason: error.fault });
        // Anyone can call this address: a call that ends no sign-on, or one of many, must not fill the log.
        return flow && isNoted ? backToLogin(error) : pageOf(error);
      }
    }),
  ];
}

const pageOf = ({ fault }: SignOnError) => `/login?error=${fault}`;

/** Whether a request was sent to an address. The protocol doesn't matter, since a proxy may have changed it. */
function isUnder(request: Request, address: string): boolean {
  const { protocol, host } = new URL(address);
  return URL.parse(`${protocol}//${request.host}`)?.host === host;
}
