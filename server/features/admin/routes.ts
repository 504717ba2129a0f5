import * as auditApi from '#api/admin/audit.ts';
import * as imagesApi from '#api/admin/images.ts';
import * as statsApi from '#api/admin/stats.ts';
import * as systemApi from '#api/admin/system.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { readViewReport } from '#server/core/images/views/view-report.ts';
import { listAudit } from '#server/core/journal/audit.ts';
import { bind, bindBinary } from '#server/core/routes.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { cleanUp } from './clean-up.ts';
import { listAllImages, purgeAnyImages } from './images.ts';
import { presentAnyImage, presentAudit } from './present.ts';
import { measureSpace } from './space.ts';
import { readStats } from './stats.ts';
import { readSystem } from './system.ts';

/** All images, the audit log, statistics and the system. */
export function adminRoutes(context: Context) {
  const { db, links, views, settings } = context;
  return [
    bind(imagesApi.listAllImages, async ({ query }) => mapPage(await listAllImages(db, query), (row) => presentAnyImage(row, links))),

    bind(imagesApi.purgeImages, async (call) => ({
      results: await purgeAnyImages(db.as(call.caller), call.body.keys, auditOrigin(call)),
    })),

    bind(auditApi.listAudit, async ({ query }) => mapPage(await listAudit(db, query), presentAudit)),

    bind(statsApi.getStats, async ({ query }) => {
      await views.flush();
      return readStats(db, query.days, Date.now());
    }),

    bind(imagesApi.getAllViews, async ({ query }) => {
      await views.flush();
      const { images, ...report } = await readViewReport(db, undefined, query.days, Date.now());
      return {
        ...report,
        images: images.map((one) => ({ image: presentAnyImage(one.row, links), views: one.views })),
        counts_sources: settings.current().count_referrers,
      };
    }),

    bind(systemApi.getSystem, async () => readSystem(context)),

    bindBinary(systemApi.getMetrics, async ({ response }) => {
      const { text, type } = await context.metrics.read();
      response.setHeader('Content-Type', type).send(text);
    }),

    bind(systemApi.getSpace, async () => measureSpace(context)),

    bind(systemApi.runCleanUp, (call) => cleanUp({ ...context, db: db.as(call.caller) }, call.body.what, auditOrigin(call))),
  ];
}
