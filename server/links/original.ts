import { create as contentDisposition } from 'content-disposition';
import type { RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import { ForbiddenError } from '../http/errors.ts';
import type { ImageRow } from '../images/images.ts';
import { isPubliclyCacheable } from './access.ts';
import { isUnchanged } from './conditions.ts';
import { lookAt } from './look.ts';
import { openPresent } from './open-present.ts';
import { ORIGINAL_CSP } from './original-csp.ts';
import { answerRefusal, refusalOf } from './refusals.ts';
import { sendBlob, wantedRange } from './send-blob.ts';
import { isPrefetch } from './wanted-form.ts';

const YEAR_SECONDS = 31_536_000;

/** `GET`/`HEAD /i/{key}.{ext}`: the original. */
export function originalHandler({ imageIndex, unlocking, blobs, views, policies, log }: Context): RequestHandler {
  return async (request, response) => {
    const { key, ext } = request.params as { key: string; ext: string };
    const image = await imageIndex.find(key);
    // Before the state of the image is looked at: a wrong extension must not tell whether the key exists.
    if (!image || image.ext !== ext) throw refusalOf({ code: 'not_found' });
    const { access } = await lookAt(unlocking, request, response, image);
    if (!access.allowed) return answerRefusal(request, response, key, refusalOf(access));

    const limited = image.max_views > 0;
    if (limited && access.counts && isPrefetch(request)) {
      throw new ForbiddenError('Views of this picture are counted, so it is not sent in advance. Open its link to look at it.');
    }
    setHeaders(response, image, (await policies.find(image.policy_id)).cache_seconds, request.query.download === '1');
    if (!limited && isUnchanged(request, response)) return void response.status(304).end();
    if (!limited) response.setHeader('Accept-Ranges', 'bytes');

    if (request.method === 'HEAD') return void response.setHeader('Content-Length', image.size).end();
    const range = limited ? undefined : wantedRange(request, response, image.size);
    if (range === 'invalid') return void response.status(416).setHeader('Content-Range', `bytes */${image.size}`).end();
    if (range) response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${image.size}`);

    const driver = await blobs.driverOf(image.policy_id);
    const blob = await openPresent(imageIndex, image, () => driver.open(image.sha256));
    if (access.counts && limited && !(await views.take(image))) {
      await blob.close();
      return answerRefusal(request, response, key, refusalOf({ code: 'view_limit_reached' }));
    }
    if (access.counts && !limited) views.count(image);
    sendBlob(blob, range, response, log);
  };
}

function setHeaders(response: Response, image: ImageRow, cacheSeconds: number, download: boolean) {
  response.setHeader('Content-Type', image.mime);
  response.setHeader('Content-Security-Policy', ORIGINAL_CSP);
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Content-Disposition', contentDisposition(fileName(image), { type: download ? 'attachment' : 'inline' }));
  response.setHeader('ETag', `"${image.sha256}"`);
  response.setHeader('Last-Modified', new Date(image.created_at).toUTCString());
  response.setHeader('Cache-Control', cacheControl(image, cacheSeconds, Date.now()));
}

/** The picture's name with the extension of what is served. */
function fileName({ name, ext }: Pick<ImageRow, 'name' | 'ext'>): string {
  const base = name.replace(/\.[A-Za-z0-9]{1,5}$/, '');
  return `${base || 'picture'}.${ext}`;
}

/** How long others may keep an answer about an image: never past its expiry, not at all when it is guarded. */
export function cacheControl(image: ImageRow, cacheSeconds: number, now: number): string {
  if (!isPubliclyCacheable(image)) return 'private, no-store';
  const left = image.expires_at === null ? cacheSeconds : Math.floor((image.expires_at - now) / 1000);
  const seconds = Math.max(0, Math.min(cacheSeconds, left));
  return `public, max-age=${seconds}${seconds >= YEAR_SECONDS ? ', immutable' : ''}`;
}
