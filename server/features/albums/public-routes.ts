import * as api from '#api/albums/albums.ts';
import { presentActor } from '#server/core/accounts/authorize.ts';
import { countOpenImages, findOpenCover, listOpenImages, type Visitor } from '#server/core/albums/open-images.ts';
import type { Context } from '#server/core/context.ts';
import { bind, bindBinary } from '#server/core/routes.ts';
import { ForbiddenError, RequestError } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';
import { sendZip } from '#server/platform/http/zip.ts';
import { canDownload } from './access.ts';
import { albumEntries, zipNameOf } from './download.ts';
import { createDownloadRates } from './download-limits.ts';
import { presentAlbumImage, presentLockedAlbum, presentOpenAlbum } from './present.ts';
import { LOCKED, unlockAlbum, visitAlbum } from './public-albums.ts';

const NO_DOWNLOAD = 'The owner has turned off downloads for this album. You can save its pictures one by one.';

export const publicAlbumRoutes = (context: Context) => {
  const { db, links, log } = context;
  const rates = createDownloadRates(context.limits);

  async function present(album: AlbumRow, visitor: Visitor) {
    const { open: count, limited } = await countOpenImages(db.read, album, visitor);
    const cover = await findOpenCover(db.read, album, visitor);
    return presentOpenAlbum(album, links, { count, limited, cover, canDownload: canDownload(album, visitor) });
  }

  return [
    bind(api.getPublicAlbum, async ({ actor, params, request }) => {
      const visit = await visitAlbum(context, { id: params.id, actor, request });
      return visit.locked ? presentLockedAlbum(visit.album) : present(visit.album, visit.visitor);
    }),

    bind(api.listPublicAlbumImages, async ({ actor, params, query, request }) => {
      const visit = await visitAlbum(context, { id: params.id, actor, request });
      if (visit.locked) throw new RequestError('password_required', LOCKED);
      const page = await listOpenImages(db.read, visit.album.id, visit.visitor, query);
      return mapPage(page, (row) => presentAlbumImage(row, links));
    }),

    bindBinary(api.downloadAlbum, async ({ actor, params, query, request, response }) => {
      const visit = await visitAlbum(context, { id: params.id, actor, request });
      if (visit.locked) throw new RequestError('password_required', LOCKED);
      const { album, visitor } = visit;
      if (!canDownload(album, visitor)) throw new ForbiddenError(NO_DOWNLOAD);
      const visitAgain = async () => visitAlbum(context, { id: album.id, actor: await presentActor(db.read, actor), request });
      const end =
        visitor.trusted || visitor.memberId === album.owner_id || request.method === 'HEAD'
          ? () => undefined
          : await rates.begin(request.ip ?? '');
      try {
        await sendZip(response, zipNameOf(album), albumEntries(context, album, visitor, visitAgain, query.keys), log);
      } finally {
        end();
      }
    }),

    bind(api.unlockAlbum, async ({ actor, params, body, request, response }) => {
      const visit = await unlockAlbum(context, { id: params.id, actor, request, response }, body.password);
      if (visit.locked) throw new RequestError('password_required', LOCKED);
      return present(visit.album, visit.visitor);
    }),
  ];
};
