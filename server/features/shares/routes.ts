import * as api from '#api/sharing/shares.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld } from '#server/core/images/access.ts';
import { presentShare } from '#server/core/images/present.ts';
import { bind } from '#server/core/routes.ts';
import { viewerOf } from '#server/core/viewing/access-check.ts';
import { deleteBySecret, findBySecret } from './deletion.ts';
import { presentDeletion, presentLocked } from './present.ts';
import { findShare, unlockShare } from './shares.ts';

export const shareRoutes = (context: Context) => {
  const { db, links } = context;
  return [
    bind(api.getShare, async ({ params, request, response }) => {
      const { image, locked } = await findShare(context, { key: params.key, request, response });
      return locked ? presentLocked(image) : presentShare(image, links);
    }),

    bind(api.unlockShare, async ({ params, body, request, response }) => {
      return presentShare(await unlockShare(context, { key: params.key, request, response }, body.password), links);
    }),

    bind(api.getDeletion, async ({ params, actor }) => {
      const image = await findBySecret(context, params.key, params.secret);
      const viewer = await viewerOf(db.read, actor, image);
      const visible = decideAccess(image, viewer, Date.now()).allowed && (!isWithheld(image) || viewer.isOwner || viewer.isAdmin);
      return presentDeletion(image, links, visible);
    }),

    bind(api.deleteBySecret, async ({ caller, params }) => {
      await deleteBySecret(db.as(caller), await findBySecret(context, params.key, params.secret));
      return {};
    }),
  ];
};
