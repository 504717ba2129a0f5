import type { IRouter, RequestHandler } from 'express';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { extOf, FORMATS, formatsWith } from '#api/formats.ts';
import { callerTurn } from '#server/core/accounts/caller-turn.ts';
import type { Context } from '#server/core/context.ts';
import { isWithheld } from '#server/core/images/access.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { checkAccess } from '#server/core/viewing/access-check.ts';
import { openPresent } from '#server/core/viewing/open-present.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { isUnchanged } from '#server/platform/http/headers/conditions.ts';
import { sendBlob } from '#server/platform/http/send-blob.ts';
import type { ThumbnailType } from '#server/platform/imaging/types.ts';
import { shownBlobOf } from '#server/platform/storage/blob-rows.ts';
import { cachingHead } from './cache-control.ts';
import { hotlinkRefused, isHotlink, limitsSites } from './hotlinks.ts';
import { ORIGINAL_PATH, originalHandler } from './original.ts';
import { lastModifiedOf } from './original-head.ts';
import { sendRefusal } from './refused-picture.ts';

/** Adds direct links and thumbnails, without a router of their own, which would make each request slower. HEAD is handled like GET. */
export function addLinks(router: IRouter, context: Context): void {
  router.get(ORIGINAL_PATH, originalHandler(context));
  router.all(ORIGINAL_PATH, refuseMethod(READING));
  for (const type of formatsWith('thumbnail')) {
    const path = `/t/:key.${extOf(type)}`;
    router.get(path, thumbnailHandler(context, type));
    router.all(path, refuseMethod(READING));
  }
}

const DEFAULT_WIDTH = 400;

/** The width in a query. @throws RequestError `invalid_width` for anything but one value from the list */
function parseWidth(query: Record<string, unknown>): number {
  if (!('w' in query)) return DEFAULT_WIDTH;
  const width = THUMBNAIL_WIDTHS.find((allowed) => String(allowed) === query.w);
  if (width === undefined)
    throw new RequestError('invalid_width', `The width w must be one of ${THUMBNAIL_WIDTHS.join(', ')}.`, { field: 'w' });
  return width;
}

const withheld = () => new RequestError('thumbnail_withheld', 'No preview is available because this picture has a view limit.');

/** `GET`/`HEAD /t/{key}.{ext}?w=`: a thumbnail. Until an AVIF is there, which takes long to make, a WebP stands in for it. */
function thumbnailHandler(context: Context, type: ThumbnailType): RequestHandler {
  const { db, imageIndex, unlocking, thumbnails, policies, settings, log } = context;
  return async (request, response) => {
    const width = parseWidth(request.query);
    const { key } = request.params as { key: string };
    if (isHotlink(context, request)) return sendRefusal(request, response, key, hotlinkRefused());
    const image = await imageIndex.find(key);
    if (!image) throw refusalOf({ code: 'not_found' });
    const { access, viewer } = await checkAccess({ db, unlocking }, request, response, image, 'thumbnail');
    if (!access.allowed) return sendRefusal(request, response, key, refusalOf(access));
    if (isWithheld(image) && !viewer.isOwner && !viewer.isAdmin) return sendRefusal(request, response, key, withheld());

    const shown = shownBlobOf(image);
    const isStandIn = type === 'avif' && !(await thumbnails.isReady(shown, width, type));
    const sent = isStandIn ? 'webp' : type;
    // Only behind transparent images, JPEGs look different since version 0.4.
    const look = sent === 'jpeg' ? (image.ext === 'jpg' ? '' : '-2') : `-${sent}`;
    const validators = { etag: `"${shown.sha256.slice(0, 40)}-${width}${look}"`, lastModified: lastModifiedOf(image) };
    const { cache_seconds } = await policies.find(image.policy_id);
    const rules = { seconds: isStandIn ? 0 : cache_seconds, isLimited: limitsSites(settings) };
    const head = [
      ...['Content-Type', FORMATS[sent].types[0]],
      ...['Cross-Origin-Resource-Policy', 'cross-origin'],
      ...['ETag', validators.etag],
      // By its date, a stand-in would be the same as what it stands for.
      ...(isStandIn ? [] : ['Last-Modified', validators.lastModified]),
      ...cachingHead(image, rules, isStandIn ? { query: {} } : request, response),
    ];
    if (isUnchanged(request, isStandIn ? { etag: validators.etag } : validators)) return void response.writeHead(304, head).end();
    const viewerTurn = callerTurn(response.locals.actor, response);
    const thumbnail = await openPresent(
      image,
      () => imageIndex.find(key),
      (row) => thumbnails.open(shownBlobOf(row), width, viewerTurn, sent),
    );
    if (request.method === 'HEAD') {
      await thumbnail.close();
      return void response.writeHead(200, [...head, 'Content-Length', String(thumbnail.size)]).end();
    }
    sendBlob(response, thumbnail, { head, log });
  };
}
