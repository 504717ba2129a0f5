import express, { type Express, type Request, type RequestHandler } from 'express';
import { API_PREFIX } from '#api/contract.ts';
import { adminRoutes } from './admin/routes.ts';
import { userAdminRoutes } from './admin/user-routes.ts';
import { albumPages } from './albums/page.ts';
import { publicAlbumRoutes } from './albums/public-routes.ts';
import { albumRoutes } from './albums/routes.ts';
import { resolveActor } from './auth/resolve-actor.ts';
import { authRoutes } from './auth/routes.ts';
import { backupRoutes } from './backup/routes.ts';
import { configRoutes } from './config/routes.ts';
import type { Context } from './context.ts';
import { groupAdminRoutes } from './groups/admin-routes.ts';
import { limitRoutes } from './groups/routes.ts';
import { apiReference } from './http/api-reference.ts';
import { addDefaultHeaders } from './http/default-headers.ts';
import { apiNotFound, errorHandler } from './http/envelope.ts';
import { NotFoundError } from './http/errors.ts';
import { healthHandler } from './http/health.ts';
import { hostCheck } from './http/host-check.ts';
import { describeApi } from './http/openapi.ts';
import { originCheck } from './http/origin-check.ts';
import { requestId } from './http/request-id.ts';
import { type BoundRoute, createApiRouter, READING, refuseMethod } from './http/routes.ts';
import { securityHeaders } from './http/security-headers.ts';
import { webApp } from './http/web-app.ts';
import { imageRoutes } from './images/routes.ts';
import { inviteRoutes } from './invites/routes.ts';
import { addLinks } from './links/routes.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { policyRoutes } from './policies/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { sharePages } from './shares/page.ts';
import { shareRoutes } from './shares/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { trashRoutes } from './trash/routes.ts';
import { uploadRoutes } from './upload/routes.ts';
import { userRoutes } from './user/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Every feature's routes, in the order of the interface document. */
const FEATURES: ((context: Context) => BoundRoute[])[] = [
  uploadRoutes,
  authRoutes,
  configRoutes,
  imageRoutes,
  trashRoutes,
  backupRoutes,
  limitRoutes,
  tokenRoutes,
  inviteRoutes,
  userRoutes,
  oidcRoutes,
  shareRoutes,
  publicAlbumRoutes,
  albumRoutes,
  settingsRoutes,
  userAdminRoutes,
  groupAdminRoutes,
  policyRoutes,
  webhookRoutes,
  adminRoutes,
];

/** The HTTP application over an open context; it does not listen. */
export function createApp(context: Context): Express {
  const { config, links, log, db, settings, version } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('case sensitive routing', true);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy.length > 0 ? config.trustProxy : false);

  const security = securityHeaders();
  // An answer that Node gives by itself never came here, and has no locals: failing on it would end the service.
  addDefaultHeaders(app, ({ locals }) => [...(locals ? ['X-Request-Id', locals.requestId as string] : []), ...security]);
  app.use(requestId);
  app.use(hostCheck(() => [...config.allowedHosts, ...hostsOf(links.configuredBaseUrl()), ...settings.current().former_hosts]));
  app.route('/healthz').get(healthHandler(context)).all(refuseMethod(READING));
  app.use(originCheck(links.configuredBaseUrl));
  app.use(resolveActor(db, isUpload));

  // First, since every route that is tried before costs each picture a little.
  addLinks(app, context);

  const routes = FEATURES.flatMap((feature) => feature(context));
  const document = describeApi(
    routes.map((bound) => bound.route),
    version,
  );
  const describe: RequestHandler = (_request, response) => void response.json(document);
  app.route(`${API_PREFIX}/openapi.json`).get(describe).all(refuseMethod(READING));
  app.route('/docs/api').get(apiReference(document)).all(refuseMethod(READING));
  app.use(API_PREFIX, createApiRouter(routes));
  app.use(API_PREFIX, apiNotFound);
  app.use(sharePages(context));
  app.use(albumPages(context));
  app.use(webApp(config.webRoot));
  app.use(() => {
    throw new NotFoundError();
  });
  app.use(errorHandler(log));
  return app;
}

/** An upload with a dead session must not become a guest's. */
const isUpload = (request: Request) => request.method === 'POST' && request.path.startsWith(`${API_PREFIX}/upload`);

function hostsOf(baseUrl: string | undefined): string[] {
  return baseUrl ? [new URL(baseUrl).hostname.toLowerCase()] : [];
}
