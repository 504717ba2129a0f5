import type { Request, RequestHandler } from 'express';
import type { Context } from '#server/core/context.ts';
import { isPubliclyCacheable } from '#server/core/images/access.ts';
import { checkAccess } from '#server/core/viewing/access-check.ts';
import { openPresent } from '#server/core/viewing/open-present.ts';
import { referrerHost } from '#server/core/viewing/referrer-host.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { countsAsView } from '#server/core/viewing/views.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { isPrefetch } from '#server/platform/http/errors/response-form.ts';
import { isSuperseded, isUnchanged } from '#server/platform/http/headers/conditions.ts';
import { requestedRange, sendBlob } from '#server/platform/http/send-blob.ts';
import type { OpenBlob } from '#server/platform/storage/driver.ts';
import { cachingHead } from './cache-control.ts';
import { hotlinkRefused, isHotlink, limitsSites } from './hotlinks.ts';
import { createOriginalHeads, type OriginalHead } from './original-head.ts';
import { sendRefusal } from './refused-picture.ts';

/** The headers of a 412, which has no body. */
const NO_CONTENT = ['Cache-Control', 'no-store', 'Content-Length', '0'];

/** The storage's public address, and who may see a picture, can change. */
const MAX_REDIRECT_SECONDS = 300;

/** The headers of a redirect to the storage's public address. */
const REDIRECT = ['Cross-Origin-Resource-Policy', 'cross-origin', 'Content-Length', '0'];

/** The pattern of direct links, which names them in metrics, too. */
export const ORIGINAL_PATH = '/i/:key.:ext';

/** `GET`/`HEAD /i/{key}.{ext}`: the original. */
export function originalHandler(context: Context): RequestHandler {
  const { db, imageIndex, unlocking, blobs, views, policies, settings, log } = context;
  const headOf = createOriginalHeads();
  return async (request, response) => {
    const { key, ext } = request.params as { key: string; ext: string };
    if (isHotlink(context, request)) return sendRefusal(request, response, key, hotlinkRefused());
    const image = await imageIndex.find(key);
    // Before checking the image's state: a wrong extension must not reveal whether the key exists.
    if (!image || !hasExt(image, ext)) throw refusalOf({ code: 'not_found' });
    const { access, viewer } = await checkAccess({ db, unlocking }, request, response, image);
    if (!access.allowed) return sendRefusal(request, response, key, refusalOf(access));

    const limited = image.max_views > 0;
    const isView = !viewer.isPlaying && countsAsView(request, access, image);
    if (limited && !access.isOwner && isPrefetch(request)) {
      throw new ForbiddenError('This picture has a view limit, so it can’t be prefetched. Open its link to view it.');
    }
    const known = headOf(image);
    if (isSuperseded(request, known)) return void response.writeHead(412, NO_CONTENT).end();
    const { cache_seconds } = await policies.find(image.policy_id);
    const isLimited = limitsSites(settings);
    const head = [...headFor(request, known), ...cachingHead(image, { seconds: cache_seconds, isLimited }, request, response)];
    if (!limited && isUnchanged(request, known)) return void response.writeHead(304, head).end();
    const driver = await blobs.driverOf(image.policy_id);
    const elsewhere = !isLimited && isForEveryone(image, request) ? driver.publicUrl(image.sha256) : undefined;
    if (elsewhere !== undefined) {
      if (isView) views.count(image, referrerHost(request));
      const passing = cachingHead(image, { seconds: Math.min(cache_seconds, MAX_REDIRECT_SECONDS), isLimited }, request, response);
      return void response.writeHead(302, [...REDIRECT, ...passing, 'Location', elsewhere]).end();
    }
    if (request.method === 'HEAD') return void response.writeHead(200, [...head, 'Content-Length', String(image.size)]).end();
    // Each part of a view-limited picture would be a view; who plays a video has used up one.
    const range = limited && image.duration === null ? undefined : requestedRange(request, known, image.size);
    if (range === 'invalid')
      return void response.writeHead(416, [...head, 'Content-Range', `bytes */${image.size}`, 'Content-Length', '0']).end();

    const part = range && { range, size: image.size };
    const blob = await openPresent(
      image,
      () => imageIndex.find(key),
      async ({ policy_id, sha256 }) => (await blobs.driverOf(policy_id)).open(sha256, { part }),
    );
    if (isView && limited && !(await takeOrClose(blob, () => views.take(image, referrerHost(request)))))
      return sendRefusal(request, response, key, refusalOf({ code: 'view_limit_reached' }));
    if (isView && limited && image.duration !== null) unlocking.startPlaying(request, response, image);
    if (isView && !limited) views.count(image, referrerHost(request));
    if (range) head.push('Content-Range', `bytes ${range.start}-${range.end}/${image.size}`);
    sendBlob(response, blob, { head, range, log });
  };
}

/** Closes the blob unless a view is taken. */
async function takeOrClose(blob: OpenBlob, take: () => Promise<boolean>): Promise<boolean> {
  let isTaken = false;
  try {
    isTaken = await take();
  } finally {
    if (!isTaken) await blob.close();
  }
  return isTaken;
}

/** Whether an address that never asks again may serve an image. SVG needs the headers that only this service sends, downloads their name. */
function isForEveryone(image: ImageRow, { query }: Request): boolean {
  return isPubliclyCacheable(image) && image.expires_at === null && image.ext !== 'svg' && query.download !== '1';
}

/** Links that end in the extension of a former file keep working. */
export function hasExt({ ext, former_exts }: ImageRow, requested: string): boolean {
  return ext === requested || (former_exts !== '[]' && readList<string>(former_exts).includes(requested));
}

function headFor(request: Request, { inline, attachment }: OriginalHead) {
  return request.query.download === '1' ? attachment : inline;
}
