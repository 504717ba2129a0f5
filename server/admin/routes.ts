import * as auditApi from '#api/admin-audit.ts';
import * as imagesApi from '#api/admin-images.ts';
import * as statsApi from '#api/admin-stats.ts';
import type { Context } from '../context.ts';
import { toPage } from '../db/page.ts';
import { bind } from '../http/routes.ts';
import { auditOrigin, listAudit } from './audit.ts';
import { listAllImages, positionIn, purgeAnyImages } from './images.ts';
import { presentAnyImage, presentAudit } from './present.ts';
import { readStats } from './stats.ts';

/** Everybody's images, the audit log and the numbers. */
export const adminRoutes = ({ db, links, imageIndex }: Context) => [
  bind(imagesApi.listAllImages, async ({ query }) => {
    const rows = await listAllImages(db, query);
    return toPage(rows, query.limit, positionIn(query), (row) => presentAnyImage(row, links));
  }),

  bind(imagesApi.purgeImages, async (call) => ({
    results: await purgeAnyImages(db, imageIndex, call.body.keys, auditOrigin(call)),
  })),

  bind(auditApi.listAudit, async ({ query }) => {
    const rows = await listAudit(db, query);
    return toPage(rows, query.limit, ({ id }) => ({ value: id, id }), presentAudit);
  }),

  bind(statsApi.getStats, async ({ query }) => readStats(db, query.days, Date.now())),
];
