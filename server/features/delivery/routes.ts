import type { IRouter } from 'express';
import type { Context } from '#server/core/context.ts';
import { WEB_FORMATS } from '#server/core/images/formats.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { ORIGINAL_PATH, originalHandler } from './original.ts';
import { thumbnailHandler } from './thumbnail.ts';

/** Adds direct links and thumbnails, without a router of their own, which would make each request slower. HEAD is handled like GET. */
export function addLinks(router: IRouter, context: Context): void {
  router.get(ORIGINAL_PATH, originalHandler(context));
  router.all(ORIGINAL_PATH, refuseMethod(READING));
  for (const ext of ['jpg', ...WEB_FORMATS] as const) {
    router.get(`/t/:key.${ext}`, thumbnailHandler(context, ext));
    router.all(`/t/:key.${ext}`, refuseMethod(READING));
  }
}
