import type { Request, Response } from 'express';
import type { Deletion, Share } from '#api/sharing/shares.ts';
import * as api from '#api/sharing/shares.ts';
import type { Actor } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { isDeleted as isAccountDeleted } from '#server/core/deletion/start.ts';
import { type Access, decideAccess, isDeleted, isWithheld } from '#server/core/images/access.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { purgeImages } from '#server/core/images/lifetime/purge.ts';
import { deletionSecret, type Links } from '#server/core/images/links.ts';
import { presentShare } from '#server/core/images/present.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { bind } from '#server/core/routes.ts';
import { checkAccess, viewerOf } from '#server/core/viewing/access-check.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { imageLock } from '#server/core/viewing/unlocking.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { safeEqual } from '#server/platform/base/secret-text.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

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

/**
 * The image of a deletion link, unless it has been deleted already.
 * @throws NotFoundError also for a wrong secret, which must not reveal whether the key exists
 */
async function findBySecret(
  { db, imageIndex, secrets }: Pick<Context, 'db' | 'imageIndex' | 'secrets'>,
  key: string,
  secret: string,
): Promise<ImageRow> {
  const image = await imageIndex.find(key);
  const right = safeEqual(deletionSecret(secrets, { key, deletion_nonce: image?.deletion_nonce ?? 0 }), secret);
  // The links of an account that is being deleted end at once, those of its pictures one after the other.
  const ended = image?.owner_id != null && (await isAccountDeleted(db.read, image.owner_id));
  if (image && right && !ended && !isDeleted(image)) return image;
  throw new NotFoundError('There’s nothing to delete. The picture may already have been deleted, or the link may be mistyped.');
}

/** Moves the image to its owner's trash. Guests have no trash, so their images are deleted permanently. */
async function deleteBySecret(db: WritableDatabase, image: ImageRow): Promise<void> {
  const { id, deletion_nonce } = image;
  const now = Date.now();
  await db.write(async (queries) => {
    const row = await queries.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || isDeleted(row) || row.deletion_nonce !== deletion_nonce) return; // another request was faster
    if (row.owner_id === null) await purgeImages(queries, [row], now);
    else await queries.updateTable('images').set({ deleted_at: now, trash_reason: null, updated_at: now }).where('id', '=', id).execute();
    await enqueueEvent(queries, imageDeleted(row));
  });
}

function presentLocked({ key }: Pick<ImageRow, 'key'>): Share {
  return { key, password_required: true };
}

/** @param previewable whether this caller may see the thumbnail */
function presentDeletion(row: ImageRow, links: Links, previewable: boolean): Deletion {
  const { key, name, ext, size, width, height, owner_id } = row;
  return {
    key,
    name,
    ext,
    size,
    width,
    height,
    created_at: toInstant(row.created_at),
    thumbnail_url: previewable ? links.of(row).thumbnail_url : null,
    permanent: owner_id === null,
  };
}

type Parts = Pick<Context, 'db' | 'imageIndex' | 'unlocking'>;

/** A request for the image with a key. */
interface Visit {
  key: string;
  request: Request;
  response: Response;
}

/** A shared image, and whether it still needs its password. */
interface Shared {
  image: ImageRow;
  locked: boolean;
}

/**
 * The image at a share address, for this caller.
 * @throws RequestError when it doesn't exist for them, has expired or reached its view limit, or the password in the header is wrong
 */
async function findShare({ db, imageIndex, unlocking }: Parts, { key, request, response }: Visit): Promise<Shared> {
  const image = await imageIndex.find(key);
  const { access } = await checkAccess({ db, unlocking }, request, response, image);
  return requireShared(image, access);
}

/**
 * Checks a shared image's password and sets the cookie if it is right. Only then does it reveal a reached view limit.
 * @throws RequestError like {@link findShare}, and `wrong_password` or `rate_limited`
 */
async function unlockShare({ db, imageIndex, unlocking }: Parts, { key, request, response }: Visit, password: string): Promise<ImageRow> {
  const image = await imageIndex.find(key);
  const viewer = await viewerOf(db.read, response.locals.actor as Actor, image);
  const before = decideAccess(image, viewer, Date.now());
  if (!before.allowed && before.code !== 'password_required') throw refusalOf(before);
  const lock = image && imageLock(image);
  if (lock && !(await unlocking.unlock(request, response, lock, password))) throw refusalOf({ code: 'wrong_password' });
  return requireShared(image, decideAccess(image, { ...viewer, password: 'right' }, Date.now())).image;
}

function requireShared(image: ImageRow | undefined, access: Access): Shared {
  if (!image) throw refusalOf({ code: 'not_found' });
  if (access.allowed) return { image, locked: false };
  if (access.code === 'password_required') return { image, locked: true };
  throw refusalOf(access);
}
