import * as api from '#api/images/trash.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { callerTurn } from '#server/core/accounts/caller-turn.ts';
import type { Context } from '#server/core/context.ts';
import { findTrashedImage } from '#server/core/images/images.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { emptyOwnTrash, listOwnTrash, purgeTime } from '#server/core/images/lifetime/trash.ts';
import { presentImage } from '#server/core/images/present.ts';
import { bind, bindBinary } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { sendBlob } from '#server/platform/http/send-blob.ts';
import { changeOwnImages } from './batch.ts';

const THUMBNAIL_WIDTH = 400;

export const trashRoutes = ({ db, links, imageIndex, thumbnails, log }: Context) => {
  const present = (row: ImageRow) => ({
    ...presentImage(row, links),
    purge_at: toInstant(purgeTime(row.deleted_at ?? 0)),
    reason: row.trash_reason ?? ('deleted' as const),
  });

  return [
    bind(api.listTrash, async ({ actor, query }) => {
      await expireDue({ db, imageIndex }, Date.now());
      return mapPage(await listOwnTrash(db, memberOf(actor).user.id, query), present);
    }),

    bindBinary(api.trashThumbnail, async ({ actor, params, response }) => {
      const row = await findTrashedImage(db.read, memberOf(actor).user.id, params.key);
      if (!row || row.emptied_at !== null) throw new NotFoundError('This picture is no longer in your trash. Reload the list.');
      const ref = { policyId: row.policy_id, sha256: row.sha256 };
      const thumbnail = await thumbnails.open(ref, THUMBNAIL_WIDTH, callerTurn(actor, response));
      sendBlob(response, thumbnail, { head: ['Content-Type', api.trashThumbnail.binary], log });
    }),

    bind(api.restoreTrash, async ({ actor, body }) => ({
      results: await changeOwnImages({ db, imageIndex }, memberOf(actor).user.id, body.keys, {
        action: 'restore',
        expires_in: body.expires_in,
      }),
    })),

    bind(api.purgeTrash, async ({ actor, body }) => ({
      results: await changeOwnImages({ db, imageIndex }, memberOf(actor).user.id, body.keys, { action: 'purge', trashedOnly: true }),
    })),

    bind(api.emptyTrash, async ({ actor }) => ({ purged: await emptyOwnTrash({ db, imageIndex }, memberOf(actor).user.id) })),
  ];
};
