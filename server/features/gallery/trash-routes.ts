import type { Image } from '#api/images/images.ts';
import * as api from '#api/images/trash.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { callerTurn } from '#server/core/accounts/caller-turn.ts';
import type { Context } from '#server/core/context.ts';
import { findTrashedImage } from '#server/core/images/images.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { emptyOwnTrash, listOwnTrash, listTrashBatches, purgeTime } from '#server/core/images/lifetime/trash.ts';
import type { Links } from '#server/core/images/links.ts';
import { presentImages } from '#server/core/images/present.ts';
import { bind, bindBinary } from '#server/core/routes.ts';
import { openPresent } from '#server/core/viewing/open-present.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { sendBlob } from '#server/platform/http/send-blob.ts';
import { shownBlobOf } from '#server/platform/storage/blob-rows.ts';
import { changeTrash } from './batch-targets.ts';

export const trashRoutes = ({ db, links, thumbnails, log, opaque }: Context) => {
  return [
    bind(api.listTrash, async ({ actor, query }) => {
      await expireDue(db, Date.now());
      const page = await listOwnTrash(db, memberOf(actor).user.id, query);
      return { ...page, items: await presentTrashed(db.read, page.items, links) };
    }),

    bind(api.listTrashBatches, async ({ actor }) => ({
      items: (await listTrashBatches(db, memberOf(actor).user.id)).map(({ trash_batch, count, deleted_at }) => ({
        undo: trash_batch,
        count,
        deleted_at: toInstant(deleted_at),
      })),
    })),

    bindBinary(api.trashThumbnail, async ({ actor, params, query, response }) => {
      const find = async () => {
        const row = await findTrashedImage(db.read, memberOf(actor).user.id, params.key);
        if (!row || row.emptied_at !== null) throw new NotFoundError('This picture is no longer in your trash. Reload the list.');
        return row;
      };
      const thumbnail = await openPresent(await find(), find, (row) =>
        thumbnails.open(shownBlobOf(row), Number(query.w), callerTurn(actor, response)),
      );
      sendBlob(response, thumbnail, { head: ['Content-Type', api.trashThumbnail.binary], log });
    }),

    bind(api.restoreTrash, ({ actor, caller, body: { expires_in, expires_at, include_removed, include_versions, ...target } }) =>
      changeTrash({ db: db.as(caller), log, opaque }, memberOf(actor).user.id, target, {
        action: 'restore',
        expires_in,
        expires_at,
        include_removed,
        include_versions,
      }),
    ),

    bind(api.purgeTrash, ({ actor, caller, body }) =>
      changeTrash({ db: db.as(caller), log, opaque }, memberOf(actor).user.id, body, { action: 'purge', trashedOnly: true }),
    ),

    bind(api.emptyTrash, async ({ actor, caller }) => ({ purged: await emptyOwnTrash(db.as(caller), memberOf(actor).user.id) })),
  ];
};

/** Images in the trash, as their owner sees them. */
export async function presentTrashed(queries: Queries, rows: readonly ImageRow[], links: Links) {
  const images = await presentImages(queries, rows, links);
  return rows.map(({ deleted_at, trash_reason }, index) => ({
    ...(images[index] as Image),
    purge_at: toInstant(purgeTime(deleted_at ?? 0)),
    reason: trash_reason ?? ('deleted' as const),
  }));
}
