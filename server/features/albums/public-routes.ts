import * as api from '#api/albums.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';
import { countOpenImages, findOpenCover, listOpenImages, type Visitor } from './open-images.ts';
import { presentAlbumImage, presentLockedAlbum, presentOpenAlbum } from './present.ts';
import { unlockAlbum, visitAlbum } from './public-albums.ts';

const LOCKED = 'This album is password-protected. Enter its password first.';

export const publicAlbumRoutes = (context: Context) => {
  const { db, links } = context;

  async function present(album: AlbumRow, visitor: Visitor) {
    const [count, cover] = [await countOpenImages(db.read, album.id, visitor), await findOpenCover(db.read, album, visitor)];
    return presentOpenAlbum(album, links, { count, cover });
  }

  return [
    bind(api.getPublicAlbum, async ({ params, request, response }) => {
      const visit = await visitAlbum(context, params.id, request, response);
      return visit.locked ? presentLockedAlbum(visit.album) : present(visit.album, visit.visitor);
    }),

    bind(api.listPublicAlbumImages, async ({ params, query, request, response }) => {
      const visit = await visitAlbum(context, params.id, request, response);
      if (visit.locked) throw new RequestError('password_required', LOCKED);
      const page = await listOpenImages(db.read, visit.album.id, visit.visitor, query);
      return mapPage(page, (row) => presentAlbumImage(row, links));
    }),

    bind(api.unlockAlbum, async ({ params, body, request, response }) => {
      const visit = await unlockAlbum(context, params.id, body.password, request, response);
      if (visit.locked) throw new RequestError('password_required', LOCKED);
      return present(visit.album, visit.visitor);
    }),
  ];
};
