import * as pictures from '#api/albums/pictures.ts';
import * as changes from '#api/images/changes.ts';
import * as duplicates from '#api/images/duplicates.ts';
import * as files from '#api/images/files.ts';
import * as api from '#api/images/images.ts';
import { slugProblem, toSlug } from '#api/images/slug-rules.ts';
import { checkSlug } from '#api/images/slugs.ts';
import { getTimeline, listMonths as listMonthsRoute, listPlaceholders } from '#api/images/timeline.ts';
import * as versions from '#api/images/versions.ts';
import * as viewsApi from '#api/images/views.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { findOwnImage } from '#server/core/images/images.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { presentImages, presentOwnImage } from '#server/core/images/present.ts';
import { isTaken } from '#server/core/images/slugs.ts';
import { textHits } from '#server/core/images/text/text-hit.ts';
import { sourcesOf } from '#server/core/images/views/referrers.ts';
import { viewsByDay } from '#server/core/images/views/view-days.ts';
import { readViewReport } from '#server/core/images/views/view-report.ts';
import { bind, bindBinary, bindTagged } from '#server/core/routes.ts';
import { InvalidRequestError, NotFoundError, requireFound } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { sendZip } from '#server/platform/http/zip.ts';
import { orderImages } from './album-order.ts';
import { changeOwnImages } from './batch.ts';
import { changeAlbum, runBatch } from './batch-targets.ts';
import { changeOwnImage, GONE } from './change.ts';
import { downloadEntries } from './download.ts';
import { createDuplicates, reviewDuplicates } from './duplicates.ts';
import { exportEntries } from './export.ts';
import { keepDuplicate } from './keep-duplicate.ts';
import { countByAlbum, countOwnImages, listMonths, listOwnImages, listOwnTags, toAsOf } from './list.ts';
import { libraryVersion, readPlaceholders, readTimeline } from './timeline.ts';
import { presentTrashed } from './trash-routes.ts';
import { listVersions, restoreVersion } from './versions.ts';

export const imageRoutes = (context: Context) => {
  const { db, links, views, settings, log, opaque } = context;
  // A restored backup may have any version, so none is valid beyond a run of the service. Those of a shared database don't repeat,
  // but another release may respond differently.
  const run = db.isShared ? context.version : randomKey(8);

  const found = createDuplicates(db);

  /** What has expired is in the trash, even if no job has noticed yet. */
  const expireDueIn = async ({ trash, sort }: { trash?: boolean | undefined; sort?: string | undefined }) => {
    if (trash || sort === 'deleted_desc') await expireDue(db, Date.now());
  };

  return [
    bind(api.listImages, async ({ actor, query }) => {
      await expireDueIn(query);
      const page = await listOwnImages(db, memberOf(actor).user.id, query, Date.now());
      const hits = await textHits(db.read, query.q, page.items);
      const items = await presentImages(db.read, page.items, links);
      return { ...page, items: items.map((item, index) => ({ ...item, ...hits.get(page.items[index]?.id ?? 0) })) };
    }),

    bind(api.countImages, async ({ actor, query }) => {
      await expireDueIn(query);
      const now = Date.now();
      const { by, ...filters } = query;
      const ownerId = memberOf(actor).user.id;
      const { count, expired, upTo } = await countOwnImages(db, ownerId, filters, now);
      return {
        ...{ count, as_of: toAsOf(opaque, upTo), counted_at: toInstant(now) },
        ...(query.trash && { expired }),
        ...(by && { albums: await countByAlbum(db, ownerId, filters, { by, now }) }),
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
      const { items, ...facts } = await found.list(memberOf(actor).user.id, query, Date.now());
      const isExact = (rows: ImageRow[]) => rows.every(({ sha256 }) => sha256 === rows[0]?.sha256);
      const presented = await presentImages(db.read, items.flat(), links);
      const groups = items.map((rows) => ({
        kind: isExact(rows) ? ('exact' as const) : ('alike' as const),
        images: presented.splice(0, rows.length),
      }));
      return { items: groups, ...facts };
    }),

    bind(duplicates.reviewDuplicates, async ({ actor, caller, body }) => {
      await reviewDuplicates(db.as(caller), memberOf(actor).user.id, body.keys, body.different);
      return {};
    }),

    bind(duplicates.keepDuplicate, ({ actor, caller, body }) => keepDuplicate(db.as(caller), memberOf(actor).user.id, body)),

    // Before `/images/:key`, which would take the word for a key.
    bindBinary(files.downloadImages, async ({ actor, caller, query, response }) => {
      const entries = await downloadEntries(context, caller, memberOf(actor).user.id, query);
      await sendZip(response, 'pixdock-pictures.zip', entries, log);
    }),

    bindBinary(files.exportUser, async ({ actor, caller, response }) => {
      const { user } = memberOf(actor);
      await sendZip(response, `pixdock-${user.username}.zip`, exportEntries(context, caller, user), log);
    }),

    bind(changes.batchImages, async ({ actor, caller, body }) => {
      if (body.action === 'expiry' && body.expires_in === undefined && body.expires_at === undefined)
        throw new InvalidRequestError('Specify expires_in or expires_at.', { field: 'expires_in', problem: 'missing' });
      return runBatch({ db: db.as(caller), log, opaque }, memberOf(actor).user.id, body);
    }),

    bind(pictures.addToAlbum, async ({ actor, caller, params, body }) =>
      changeAlbum({ db: db.as(caller), log, opaque }, memberOf(actor).user.id, { action: 'album_add', album_id: params.id }, body),
    ),

    bind(pictures.removeFromAlbum, async ({ actor, caller, params, body }) =>
      changeAlbum({ db: db.as(caller), log, opaque }, memberOf(actor).user.id, { action: 'album_remove', album_id: params.id }, body),
    ),

    bind(pictures.orderAlbumImages, async ({ actor, caller, params, body }) => ({
      undo: await orderImages(db.as(caller), { userId: memberOf(actor).user.id, id: params.id }, body),
    })),

    bind(api.getImage, async ({ actor, params }) => {
      const row = requireFound(await findOwnImage(db.read, memberOf(actor).user.id, params.key), GONE);
      return presentOwnImage(db.read, row, links);
    }),

    bind(changes.updateImage, async ({ actor, caller, params, body }) => {
      const row = await changeOwnImage(db.as(caller), memberOf(actor).user.id, params.key, body);
      return presentOwnImage(db.read, row, links);
    }),

    bind(versions.listVersions, async ({ actor, params }) => ({
      items: await presentTrashed(db.read, await listVersions(db.read, memberOf(actor).user.id, params.key), links),
    })),

    bind(versions.restoreVersion, async ({ actor, caller, params }) => {
      const row = await restoreVersion(db.as(caller), memberOf(actor).user.id, params);
      return presentOwnImage(db.read, row, links);
    }),

    bind(checkSlug, async ({ actor, params, query }) => {
      const slug = toSlug(params.slug);
      const claim = { ownerId: memberOf(actor).user.id, key: query.key };
      return { slug, problem: slugProblem(slug) ?? ((await isTaken(db.read, slug, claim)) ? ('taken' as const) : null) };
    }),

    bind(api.trashImage, async ({ actor, caller, params }) => {
      const [result] = await changeOwnImages(db.as(caller), memberOf(actor).user.id, [params.key], { action: 'trash' });
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
      const presented = await presentImages(
        db.read,
        images.map(({ row }) => row),
        links,
      );
      return {
        ...report,
        images: presented.map((image, index) => ({ image, views: images[index]?.views ?? 0 })),
        counts_sources: settings.current().count_referrers,
      };
    }),
  ];
};
