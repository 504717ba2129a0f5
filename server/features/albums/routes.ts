import * as api from '#api/albums/albums.ts';
import { listAlbumImages } from '#api/albums/pictures.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { findPeople } from '#server/core/accounts/people.ts';
import { ALBUM_GONE } from '#server/core/albums/albums.ts';
import { findJoinedAlbum, requireRole } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { textHits } from '#server/core/images/text/text-hit.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError, requireFound } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { changeAlbum, createAlbum } from './albums.ts';
import { deleteAlbum } from './delete-album.ts';
import { describeAlbum, describeAlbums, listOwnAlbums, listSharedAlbums } from './describe.ts';
import { countHidden } from './hidden-images.ts';
import { listJoinedImages } from './joined-images.ts';
import { orderAlbums } from './order.ts';
import { presentJoinedImage } from './present.ts';
import { unlockedImages } from './public-albums.ts';

export const albumRoutes = (context: Context) => {
  const { db, links } = context;

  const show = async (userId: number, id: string) =>
    describeAlbum(context, userId, requireFound(await findJoinedAlbum(db.read, userId, id), ALBUM_GONE));

  return [
    bind(api.listAlbums, async ({ actor, query: { shared, ...query } }) => {
      const { id } = memberOf(actor).user;
      const page = await (shared ? listSharedAlbums : listOwnAlbums)(db.read, id, query);
      return { ...page, items: await describeAlbums(context, id, page.items) };
    }),

    bind(api.createAlbum, async ({ actor, caller, body }) => {
      const { id } = memberOf(actor).user;
      return show(id, await createAlbum(db.as(caller), id, body));
    }),

    bind(api.orderAlbums, async ({ actor, caller, body }) => {
      await orderAlbums(db.as(caller), memberOf(actor).user.id, body.ids);
      return {};
    }),

    bind(api.getAlbum, ({ actor, params }) => show(memberOf(actor).user.id, params.id)),

    bind(listAlbumImages, async ({ actor, params, query, request }) => {
      const memberId = memberOf(actor).user.id;
      const album = requireFound(await findJoinedAlbum(db.read, memberId, params.id), ALBUM_GONE);
      const unlocked = await unlockedImages(context, album, { memberId }, request);
      const page = await listJoinedImages(db, album.id, { trusted: false, memberId, unlocked }, query);
      const people = await findPeople(
        db.read,
        page.items.flatMap(({ owner_id, added_by }) => [owner_id, added_by]),
      );
      const hits = await textHits(db.read, query.q, page.items);
      return mapPage(page, (row) => ({ ...presentJoinedImage(row, links, people), ...hits.get(row.id) }));
    }),

    bind(api.albumHidden, async ({ actor, params }) => {
      const { id } = memberOf(actor).user;
      await requireRole(db.read, id, params.id, 'owner');
      await expireDue(db, Date.now());
      return countHidden(db.read, params.id, id);
    }),

    bind(api.changeAlbum, async ({ actor, caller, params, body }) => {
      const { id } = memberOf(actor).user;
      if (!(await changeAlbum(db.as(caller), id, params.id, body))) throw new NotFoundError(ALBUM_GONE);
      return show(id, params.id);
    }),

    bind(api.deleteAlbum, async ({ actor, caller, params, query }) => {
      if (!(await deleteAlbum(db.as(caller), memberOf(actor).user.id, params.id, query.images))) throw new NotFoundError(ALBUM_GONE);
      return {};
    }),
  ];
};
