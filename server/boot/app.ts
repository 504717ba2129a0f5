import type { RequestListener } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { getMetrics } from '#api/admin/system.ts';
import { API_PREFIX } from '#api/constants.ts';
import type { Route } from '#api/contract.ts';
import { plainPath } from '#api/url-forms.ts';
import type { Actor } from '#server/core/accounts/actor.ts';
import { callerName } from '#server/core/accounts/caller-turn.ts';
import { resolveActor } from '#server/core/accounts/resolve-actor.ts';
import { type BoundRoute, createApiRouter, READING, refuseMethod } from '#server/core/routes.ts';
import { pageBrandOf } from '#server/core/settings/brand.ts';
import { deviceRoutes } from '#server/features/accounts/devices/routes.ts';
import { inviteRoutes } from '#server/features/accounts/invites/routes.ts';
import { passkeyRoutes } from '#server/features/accounts/passkeys/routes.ts';
import { phoneRoutes } from '#server/features/accounts/phones/routes.ts';
import { userRoutes } from '#server/features/accounts/profile/routes.ts';
import { authRoutes } from '#server/features/accounts/routes.ts';
import { teamRoutes } from '#server/features/accounts/team.ts';
import { tokenRoutes } from '#server/features/accounts/tokens/routes.ts';
import { twoFactorRoutes } from '#server/features/accounts/two-factor/settings-routes.ts';
import { brandingRoutes } from '#server/features/admin/branding/routes.ts';
import { groupAdminRoutes } from '#server/features/admin/groups/routes.ts';
import { oldAddressRoutes } from '#server/features/admin/old-addresses.ts';
import { policyRoutes } from '#server/features/admin/policies/routes.ts';
import { adminRoutes } from '#server/features/admin/routes.ts';
import { settingsRoutes } from '#server/features/admin/settings/routes.ts';
import { userAdminRoutes } from '#server/features/admin/users/routes.ts';
import { memberRoutes } from '#server/features/albums/member-routes.ts';
import { albumPages } from '#server/features/albums/page.ts';
import { publicAlbumRoutes } from '#server/features/albums/public-routes.ts';
import { albumRoutes } from '#server/features/albums/routes.ts';
import { backupRoutes } from '#server/features/backup/routes.ts';
import { originalsFromMemory } from '#server/features/delivery/from-memory.ts';
import { oldAddresses } from '#server/features/delivery/old-addresses.ts';
import { addLinks } from '#server/features/delivery/routes.ts';
import { eventRoutes } from '#server/features/events/routes.ts';
import { imageRoutes } from '#server/features/gallery/routes.ts';
import { trashRoutes } from '#server/features/gallery/trash-routes.ts';
import { importRoutes } from '#server/features/import/routes.ts';
import { requestPages } from '#server/features/requests/page.ts';
import { publicRequestRoutes } from '#server/features/requests/public-routes.ts';
import { requestRoutes } from '#server/features/requests/routes.ts';
import { sentRoutes } from '#server/features/sent/routes.ts';
import { oembedPages } from '#server/features/shares/oembed.ts';
import { sharePages } from '#server/features/shares/page.ts';
import { shareRoutes } from '#server/features/shares/routes.ts';
import { oidcRoutes } from '#server/features/sign-on/routes.ts';
import { textRoutes } from '#server/features/text/routes.ts';
import { uploadRoutes } from '#server/features/upload/routes.ts';
import { senderRoutes } from '#server/features/upload/sender-routes.ts';
import { webhookRoutes } from '#server/features/webhooks/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { compressText } from '#server/platform/http/compress.ts';
import { apiNotFound, errorHandler, requestId } from '#server/platform/http/errors/envelope.ts';
import { readAddresses } from '#server/platform/http/headers/addresses.ts';
import { addDefaultHeaders } from '#server/platform/http/headers/default-headers.ts';
import { createHostRule, hostCheck } from '#server/platform/http/headers/host-check.ts';
import { originCheck } from '#server/platform/http/headers/origin-check.ts';
import { allowOrigins, preflights } from '#server/platform/http/headers/other-origins.ts';
import { securityHeaders } from '#server/platform/http/headers/security-headers.ts';
import { limitBodies, type Sender } from '#server/platform/http/limits/bodies.ts';
import { closingHeader } from '#server/platform/http/limits/keep-alive.ts';
import { webApp } from '#server/platform/http/pages/web-app.ts';
import { describeApi } from '#server/platform/http/reference/openapi.ts';
import { apiReference } from '#server/platform/http/reference/page.ts';
import type { ServiceContext } from './compose.ts';
import { configRoutes } from './config-routes.ts';
import { healthHandlers } from './health.ts';
import { manifestHandler } from './manifest.ts';

/** All features' routes, in the order of the OpenAPI document. */
const FEATURES: ((context: ServiceContext) => BoundRoute[])[] = [
  uploadRoutes,
  authRoutes,
  configRoutes,
  imageRoutes,
  textRoutes,
  eventRoutes,
  trashRoutes,
  backupRoutes,
  tokenRoutes,
  deviceRoutes,
  phoneRoutes,
  inviteRoutes,
  userRoutes,
  teamRoutes,
  twoFactorRoutes,
  passkeyRoutes,
  oidcRoutes,
  shareRoutes,
  publicAlbumRoutes,
  albumRoutes,
  memberRoutes,
  requestRoutes,
  publicRequestRoutes,
  senderRoutes,
  sentRoutes,
  settingsRoutes,
  brandingRoutes,
  userAdminRoutes,
  groupAdminRoutes,
  policyRoutes,
  oldAddressRoutes,
  importRoutes,
  webhookRoutes,
  adminRoutes,
];

/** The HTTP application on an open context; it doesn't listen yet. */
export function createApp(context: ServiceContext): Express {
  const { config, links, log, db, settings, version } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('case sensitive routing', true);
  app.set('query parser', 'simple');
  app.locals.opaque = context.opaque;
  readAddresses(app, config.trustProxy);

  const security = securityHeaders();
  // Responses that Node sends itself have no locals; failing on one would crash the service.
  addDefaultHeaders(app, ({ req, locals }) => [
    ...(locals ? ['X-Request-Id', locals.requestId as string, ...closingHeader(req)] : []),
    ...security,
  ]);
  app.use(requestId);
  app.use(hostCheck(createHostRule(context.ownHosts)));
  const { healthz, readyz } = healthHandlers(context);
  app.route('/healthz').get(healthz).all(refuseMethod(READING));
  app.route('/readyz').get(readyz).all(refuseMethod(READING));
  const origins = () => settings.current().cors_origins;
  app.use(API_PREFIX, allowOrigins(origins)); // also on what is refused
  app.use(originCheck(links.configuredBaseUrl));
  app.use(resolveActor(db, isUpload));

  // First, since every route that is tried before makes each direct link slower.
  addLinks(app, context);

  const routes = FEATURES.flatMap((feature) => feature(context));
  app.use(limitBodies(senderOf));
  app.use(compressText());
  // Only on request: describing all routes takes longer than the rest of this function.
  let document: ReturnType<typeof describeApi> | undefined;
  const describe = () =>
    (document ??= describeApi(
      routes.map((bound) => bound.route),
      version,
    ));
  const openApi: RequestHandler = (_request, response) => void response.json(describe());
  app.route(`${API_PREFIX}/openapi.json`).get(openApi).all(refuseMethod(READING));
  app.route('/metrics').get(handlerOf(routes, getMetrics)).all(refuseMethod(READING));
  const brand = () => pageBrandOf(settings.current());
  app.route('/docs/api').get(apiReference(describe, brand)).all(refuseMethod(READING));
  app.use(
    API_PREFIX,
    preflights(
      routes.map(({ route }) => route),
      origins,
    ),
  );
  app.use(API_PREFIX, createApiRouter(routes));
  app.use(API_PREFIX, apiNotFound);
  app.route('/manifest.webmanifest').get(manifestHandler(context)).all(refuseMethod(READING));
  app.use(sharePages(context));
  app.use(albumPages(context));
  app.use(requestPages(context));
  app.use(oembedPages(context));
  const isSignedIn = ({ locals }: Response) => (locals.actor as Actor).kind === 'member';
  app.use(webApp(config.webRoot, { isSignedIn, brand, beforePages: oldAddresses(context) }));
  app.use(() => {
    throw new NotFoundError();
  });
  app.use(errorHandler(log, brand));
  return app;
}

function handlerOf(routes: readonly BoundRoute[], route: Route): RequestHandler {
  const bound = routes.find((one) => one.route === route);
  if (!bound) throw new Error(`${route.path} has no handler`);
  return bound.handler;
}

/** The application, preceded by a fast path that sends the most frequent response without it. Requests must have its classes. */
export function createListener(app: Express, context: ServiceContext): RequestListener {
  const shortcut = originalsFromMemory(context, createHostRule(context.ownHosts), securityHeaders());
  return (request, response) => {
    request.url = plainPath(request.url ?? '/');
    try {
      if (shortcut(request as Request, response as Response)) return;
    } catch (error) {
      context.log.error({ err: error }, 'couldn’t send a picture from memory');
    }
    app(request, response);
  };
}

/** Senders of a request link count as guests, even when they are signed in. */
const senderOf = ({ locals, req }: Response): Sender => {
  const actor = locals.actor as Actor;
  if (req.path.startsWith(`${API_PREFIX}/r/`)) return { name: callerName({ kind: 'guest', address: req.ip ?? '' }), isUser: false };
  return { name: callerName(actor), isUser: actor.kind === 'member' };
};

/** An upload with an expired session must not become a guest's. */
const isUpload = (request: Request) => request.method === 'POST' && request.path.startsWith(`${API_PREFIX}/upload`);
