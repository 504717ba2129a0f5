import * as changes from '#api/images/changes.ts';
import * as duplicates from '#api/images/duplicates.ts';
import * as files from '#api/images/files.ts';
import * as api from '#api/images/images.ts';
import { slugProblem, toSlug } from '#api/images/slug-rules.ts';
import { checkSlug } from '#api/images/slugs.ts';
import { getTimeline, listMonths as listMonthsRoute, listPlaceholders } from '#api/images/timeline.ts';
import * as viewsApi from '#api/images/views.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { requireExpiryWithin } from '#server/core/images/group-caps.ts';
import { findOwnImage } from '#server/core/images/images.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { presentImage } from '#server/core/images/present.ts';
import { sourcesOf } from '#server/core/images/views/referrers.ts';
import { viewsByDay } from '#server/core/images/views/view-days.ts';
import { readViewReport } from '#server/core/images/views/view-report.ts';
import { bind, bindBinary, bindTagged } from '#server/core/routes.ts';
import { ForbiddenError, NotFoundError, requireFound } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { sendZip } from '#server/platform/http/zip.ts';
import { toAsOf } from './as-of.ts';
import { changeOwnImages } from './batch.ts';
import { runBatch } from './batch-targets.ts';
import { changeOwnImage, GONE } from './change.ts';
import { downloadEntries } from './download.ts';
import { listDuplicates, reviewDuplicates } from './duplicates.ts';
import { exportEntries } from './export.ts';
import { countByAlbum, countOwnImages, listMonths, listOwnImages, listOwnTags } from './list.ts';
import { isTaken } from './slug.ts';
import { libraryVersion, readPlaceholders, readTimeline } from './timeline.ts';

export const imageRoutes = (context: Context) => {
  const { db, links, imageIndex, views, settings, log } = context;
  // A restored backup may have any version, so none is valid beyond a run of the service. Those of a shared database don't repeat,
  // but another release may respond differently.
  const run = db.isShared ? context.version : randomKey(8);

  /** What has expired is in the trash, even if no job has noticed yet. */
  const expireDueIn = async ({ trash, sort }: { trash?: boolean | undefined; sort?: string | undefined }) => {
    if (trash || sort === 'deleted_desc') await expireDue({ db, imageIndex }, Date.now());
  };

  return [
    bind(api.listImages, async ({ actor, query }) => {
      await expireDueIn(query);
      const page = await listOwnImages(db, memberOf(actor).user.id, query, Date.now());
      return mapPage(page, (row) => presentImage(row, links));
    }),

    bind(api.countImages, async ({ actor, query }) => {
      await expireDueIn(query);
      const now = Date.now();
      const { by, ...filters } = query;
      const ownerId = memberOf(actor).user.id;
      const { count, expired, upTo } = await countOwnImages(db, ownerId, filters, now);
      return {
        ...{ count, as_of: toAsOf(upTo), counted_at: toInstant(now) },
        ...(query.trash && { expired }),
        ...(by && { albums: await countByAlbum(db, ownerId, filters, now) }),
      };
    }),

    bindTagged(
      getTimeline,
      async ({ actor, query }) => {
        await expireDueIn(query);
        return `${run}-${await libraryVersion(db, memberOf(actor).user.id)}`;
      },
      ({ actor, query }) => readTimeline(db, memberOf(actor).user.id, query, Date.now()),
    ),

    bind(listMonthsRoute, async ({ actor }) => ({ months: await listMonths(db, memberOf(actor).user.id) })),

    bind(listPlaceholders, ({ actor, query }) => readPlaceholders(db, memberOf(actor).user.id, query, Date.now())),

    bind(api.listTags, ({ actor, query }) => listOwnTags(db, memberOf(actor).user.id, query)),

    bind(duplicates.listDuplicates, async ({ actor, query }) => {
      const { items, ...found } = await listDuplicates(db, memberOf(actor).user.id, query, Date.now());
      const isExact = (rows: ImageRow[]) => rows.every(({ sha256 }) => sha256 === rows[0]?.sha256);
      const groups = items.map((rows) => ({
        kind: isExact(rows) ? ('exact' as const) : ('alike' as const),
        images: rows.map((row) => presentImage(row, links)),
      }));
      return { items: groups, ...found };
    }),

    bind(duplicates.reviewDuplicates, async ({ actor, body }) => {
      await reviewDuplicates(db, memberOf(actor).user.id, body.keys, body.different);
      return {};
    }),

    // Before `/images/:key`, which would take the word for a key.
    bindBinary(files.downloadImages, async ({ actor, query, response }) => {
      const entries = await downloadEntries(context, memberOf(actor).user.id, query);
      await sendZip(response, 'pixdock-pictures.zip', entries, log);
    }),

    bindBinary(files.exportUser, async ({ actor, response }) => {
      const { user } = memberOf(actor);
      await sendZip(response, `pixdock-${user.username}.zip`, exportEntries(context, user), log);
    }),

    bind(changes.batchImages, async ({ actor, body }) => {
      const { user } = memberOf(actor);
      if (body.action === 'expiry') requireExpiryWithin(await groupById(db.read, user.group_id), body.expires_in);
      return runBatch(context, user.id, body);
    }),

    bind(api.getImage, async ({ actor, params }) => {
      return presentImage(requireFound(await findOwnImage(db.read, memberOf(actor).user.id, params.key), GONE), links);
    }),

    bind(changes.updateImage, async ({ actor, params, body }) => {
      const { user } = memberOf(actor);
      if (body.slug && !settings.current().custom_addresses_enabled)
        throw new ForbiddenError('Custom addresses are turned off on this server.');
      const row = await changeOwnImage(db, { id: user.id, group: await groupById(db.read, user.group_id) }, params.key, body);
      imageIndex.forget(params.key);
      return presentImage(row, links);
    }),

    bind(checkSlug, async ({ params, query }) => {
      const slug = toSlug(params.slug);
      return { slug, problem: slugProblem(slug) ?? ((await isTaken(db.read, slug, query.key)) ? ('taken' as const) : null) };
    }),

    bind(api.trashImage, async ({ actor, params }) => {
      const [result] = await changeOwnImages(context, memberOf(actor).user.id, [params.key], { action: 'trash' });
      if (!result?.ok) throw new NotFoundError(GONE);
      return {};
    }),

    bind(files.imageViews, async ({ actor, params, query }) => {
      await views.flush();
      const row = requireFound(await findOwnImage(db.read, memberOf(actor).user.id, params.key), GONE);
      return {
        total: row.views,
        days: await viewsByDay(db, { imageId: row.id, days: query.days, now: Date.now() }),
        sources: await sourcesOf(db, { imageId: row.id, days: query.days, now: Date.now() }),
      };
    }),

    bind(viewsApi.getOwnViews, async ({ actor, query }) => {
      await views.flush();
      const { images, ...report } = await readViewReport(db, memberOf(actor).user.id, query.days, Date.now());
      return {
        ...report,
        images: images.map((one) => ({ image: presentImage(one.row, links), views: one.views })),
        counts_sources: settings.current().count_referrers,
      };
    }),
  ];
};
