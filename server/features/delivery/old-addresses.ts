import type { RequestHandler } from 'express';
import type { Context } from '#server/core/context.ts';
import { isPubliclyCacheable } from '#server/core/images/access.ts';
import { findByOldAddress } from '#server/core/images/old-addresses.ts';
import { checkAccess } from '#server/core/viewing/access-check.ts';
import { isOwnPage } from '#server/platform/http/pages/web-app.ts';

/** An admin can change where an address leads. */
const CACHE = 'public, max-age=3600';

/**
 * `GET`/`HEAD` of an address from before: leads to the picture whoever may open it. To all others, it is an address like any other that doesn't exist, so that it doesn't
 * reveal that there is a picture. Comes after all that the service has itself.
 */
export function oldAddresses({ db, imageIndex, unlocking }: Context): RequestHandler {
  return async (request, response, next) => {
    if (isOwnPage(request.path)) return next();
    const key = await findByOldAddress(db.read, request.path);
    const image = key === undefined ? undefined : await imageIndex.find(key);
    if (!image || !(await checkAccess({ db, unlocking }, request, response, image)).access.allowed) return next();
    response.setHeader('Cache-Control', isPubliclyCacheable(image) ? CACHE : 'private, no-store');
    // Relative, so that the browser stays on the host that has its cookies.
    response.redirect(301, `/i/${image.slug ?? image.key}.${image.ext}`);
  };
}
