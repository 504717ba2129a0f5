import * as api from '#api/albums/albums.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { findOwnAlbum } from '#server/core/albums/albums.ts';
import type { Context } from '#server/core/context.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError, requireFound } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { changeAlbum, createAlbum, describeOwnAlbum, listOwnAlbums } from './albums.ts';
import { deleteAlbum } from './delete-album.ts';
import { countHidden } from './hidden-images.ts';
import { orderAlbums } from './order.ts';
import { presentAlbum } from './present.ts';

const GONE = 'This album no longer exists. It may have been deleted.';

export const albumRoutes = (context: Context) => {
  const { db, links } = context;

  async function show(ownerId: number, id: string) {
    return presentAlbum(requireFound(await describeOwnAlbum(db.read, ownerId, id), GONE), links);
  }

  return [
    bind(api.listAlbums, async ({ actor, query }) =>
      mapPage(await listOwnAlbums(db.read, memberOf(actor).user.id, query), (row) => presentAlbum(row, links)),
    ),

    bind(api.createAlbum, async ({ actor, body }) => {
      const { id } = memberOf(actor).user;
      return show(id, await createAlbum(db, id, body));
    }),

    bind(api.orderAlbums, async ({ actor, body }) => {
      await orderAlbums(db, memberOf(actor).user.id, body.ids);
      return {};
    }),

    bind(api.getAlbum, ({ actor, params }) => show(memberOf(actor).user.id, params.id)),

    bind(api.albumHidden, async ({ actor, params }) => {
      requireFound(await findOwnAlbum(db.read, memberOf(actor).user.id, params.id), GONE);
      await expireDue(context, Date.now());
      return countHidden(db.read, params.id);
    }),

    bind(api.changeAlbum, async ({ actor, params, body }) => {
      const { id } = memberOf(actor).user;
      if (!(await changeAlbum(db, id, params.id, body))) throw new NotFoundError(GONE);
      return show(id, params.id);
    }),

    bind(api.deleteAlbum, async ({ actor, params, query }) => {
      if (!(await deleteAlbum(context, memberOf(actor).user.id, params.id, query.images))) throw new NotFoundError(GONE);
      return {};
    }),
  ];
};
