import * as api from '#api/images.ts';
import { memberOf } from '../auth/authorize.ts';
import type { Context } from '../context.ts';
import { toPage } from '../db/page.ts';
import { NotFoundError } from '../http/errors.ts';
import { bind } from '../http/routes.ts';
import { findOwnImage, imagePosition, listOwnImages, trashOwnImage } from './images.ts';
import { presentImage } from './present.ts';

const GONE = 'There is no such picture. It may have been deleted.';

export const imageRoutes = ({ db, links, imageIndex }: Context) => [
  bind(api.listImages, async ({ actor, query }) => {
    const rows = await listOwnImages(db, memberOf(actor).user.id, query);
    return toPage(rows, query.limit, imagePosition(query.sort), (row) => presentImage(row, links));
  }),

  bind(api.getImage, async ({ actor, params }) => {
    const row = await findOwnImage(db.read, memberOf(actor).user.id, params.key);
    if (!row) throw new NotFoundError(GONE);
    return presentImage(row, links);
  }),

  bind(api.trashImage, async ({ actor, params }) => {
    if (!(await trashOwnImage(db, memberOf(actor).user.id, params.key))) throw new NotFoundError(GONE);
    imageIndex.forget(params.key);
    return {};
  }),
];
