import { type RequestHandler, Router } from 'express';
import type { Context } from '#server/core/context.ts';
import { visitRequest } from '#server/core/requests/visit.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { pageBrandOf } from '#server/core/settings/brand.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { sendAppPage } from '#server/platform/http/pages/app-page.ts';

/** `GET /r/{id}`, and the pages below it that ask before they remove a picture. Their head says nothing about the link. */
export function requestPages(context: Context): RequestHandler {
  const { config, settings } = context;
  const router = Router({ caseSensitive: true });
  router.get(['/r/:id', '/r/:id/remove/:file'], async (request, response) => {
    const status = await visitRequest(context, (request.params as { id: string }).id, request).then(
      (visit) => (visit.locked || !visit.closed ? 200 : 410),
      (error: unknown) => {
        if (error instanceof RequestError) return error.status;
        throw error;
      },
    );
    await sendAppPage(response, config.webRoot, { page: 'request', status, brand: pageBrandOf(settings.current()) });
  });
  router.all(['/r/:id', '/r/:id/remove/:file'], refuseMethod(READING));
  return router;
}
