import type { Request } from 'express';
import * as api from '#api/images/text.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld } from '#server/core/images/access.ts';
import { findImageByKey, findOwnImage } from '#server/core/images/images.ts';
import { countWaiting, readText, removeText } from '#server/core/images/text/recognized.ts';
import { bind } from '#server/core/routes.ts';
import { opensFor } from '#server/core/viewing/access-check.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { imageLock } from '#server/core/viewing/unlocking.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { TextRecognition } from './recognition.ts';

export const textRoutes = (context: Context & { textRecognition: TextRecognition }) => {
  const { db, settings, textRecognition } = context;
  return [
    bind(api.getText, async ({ actor, params, request }) => {
      const image = await requireReadable(context, memberOf(actor).user, params.key, request);
      const found = image.text_state === 'done' ? await readText(db.read, image.id) : undefined;
      if (found) return { status: 'done' as const, ...found };
      const isPicture = image.duration === null;
      const isWaiting =
        isPicture && image.text_state === null && settings.current().ocr_enabled && (await isWanted(context, image.owner_id));
      const status = isWaiting ? ('waiting' as const) : image.text_state === 'failed' ? ('failed' as const) : ('none' as const);
      return { status, language: null, lines: [] };
    }),

    bind(api.deleteText, async ({ actor, caller, params }) => {
      const { id } = memberOf(actor).user;
      await db.as(caller).write(async (queries) => {
        const image = await findOwnImage(queries, id, params.key);
        if (!image) throw refusalOf({ code: 'not_found' });
        await removeText(queries, image.id);
      });
      return {};
    }),

    bind(api.countUnread, async ({ actor }) => {
      const isOn = settings.current().ocr_enabled;
      return { waiting: isOn ? await countWaiting(db.read, memberOf(actor).user.id) : 0 };
    }),

    bind(api.getTextProgress, () => textRecognition.progress()),
  ];
};

async function isWanted({ db }: Context, ownerId: number | null): Promise<boolean> {
  const owner = await db.read
    .selectFrom('users')
    .select('recognize_text')
    .where('id', '=', ownerId ?? 0)
    .executeTakeFirst();
  return owner?.recognize_text === 1;
}

/**
 * The image whose text a user may read: their own, one in an album that is shared with them, or one that was sent to them, as long as they may see its thumbnail. To everyone else,
 * admins included, the image doesn't exist.
 * @throws RequestError as for a thumbnail
 */
async function requireReadable(
  { db, unlocking }: Pick<Context, 'db' | 'unlocking'>,
  user: UserRow,
  key: string,
  request: Request,
): Promise<ImageRow> {
  const image = await findImageByKey(db.read, key);
  const isOwner = image?.owner_id === user.id;
  if (!image || !(isOwner || (await opensFor(db.read, image, user.id)))) throw refusalOf({ code: 'not_found' });
  const viewer = { isOwner, isAdmin: false, isMember: true } as const;
  let access = decideAccess(image, { ...viewer, password: 'none' }, Date.now());
  const lock = imageLock(image);
  if (!access.allowed && access.code === 'password_required' && lock)
    access = decideAccess(image, { ...viewer, password: await unlocking.shown(request, lock) }, Date.now());
  if (!access.allowed) throw refusalOf(access);
  if (isWithheld(image) && !isOwner)
    throw new RequestError('thumbnail_withheld', 'The text isn’t available because this picture has a view limit.');
  return image;
}
