import * as api from '#api/images/text.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { findOwnImage } from '#server/core/images/images.ts';
import { readText, removeText } from '#server/core/images/text/recognized.ts';
import { bind } from '#server/core/routes.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { requireReadable } from './access.ts';
import type { TextRecognition } from './recognition.ts';

export const textRoutes = (context: Context & { textRecognition: TextRecognition }) => {
  const { db, settings, textRecognition } = context;
  return [
    bind(api.getText, async ({ actor, params, request }) => {
      const image = await requireReadable(context, memberOf(actor).user, params.key, request);
      const found = image.text_state === 'done' ? await readText(db.read, image.id) : undefined;
      if (found) return { status: 'done' as const, ...found };
      const isWaiting = image.text_state === null && settings.current().ocr_enabled && (await isWanted(context, image.owner_id));
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
