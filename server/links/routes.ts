import { type RequestHandler, Router } from 'express';
import type { Context } from '../context.ts';
import { refuseMethod } from '../http/routes.ts';
import { originalHandler } from './original.ts';
import { thumbnailHandler } from './thumbnail.ts';

/** Direct links and thumbnails. HEAD goes the way of GET. */
export function linkRouter(context: Context): RequestHandler {
  const router = Router({ caseSensitive: true });
  router.get('/i/:key.:ext', originalHandler(context));
  router.all('/i/:key.:ext', refuseMethod(['GET', 'HEAD']));
  router.get('/t/:key.jpg', thumbnailHandler(context));
  router.all('/t/:key.jpg', refuseMethod(['GET', 'HEAD']));
  return router;
}
