import { z } from 'zod';
import { TEXT_LANGUAGES } from '#api/constants.ts';
import { count, imageKey, nothing, route } from '#api/contract.ts';

/** The language of recognised text. */
export const textLanguage = z.enum(TEXT_LANGUAGES);
export type TextLanguage = z.infer<typeof textLanguage>;

/** The left and upper edge, width and height in pixels of the upright picture. */
const box = z.tuple([count, count, count, count]);

/** A line of text in a picture. */
export const textLine = z.object({
  text: z.string(),
  box,
  words: z.array(z.object({ text: z.string(), box })).optional(),
});
export type TextLine = z.infer<typeof textLine>;

const byKey = z.object({ key: imageKey });

export const getText = route({
  method: 'GET',
  path: '/images/:key/text',
  access: 'user',
  summary: "Get the text in a picture: one's own, or one in an album that is shared with the caller",
  params: byKey,
  data: z.object({
    status: z
      .enum(['waiting', 'done', 'none', 'failed'])
      .meta({ description: '`none`: the picture has no text, or it isn’t to be recognised; `failed`: it could not be read' }),
    language: textLanguage.nullable().meta({ description: 'The language of most of it' }),
    lines: z.array(textLine),
  }),
  errors: ['not_found', 'expired', 'password_required', 'wrong_password', 'view_limit_reached', 'thumbnail_withheld', 'rate_limited'],
});

export const deleteText = route({
  method: 'DELETE',
  path: '/images/:key/text',
  access: 'user',
  summary: "Remove the text that was recognised in one of the caller's pictures; it isn't recognised again unless the file is replaced",
  params: byKey,
  data: nothing,
  errors: ['not_found'],
});

export const countUnread = route({
  method: 'GET',
  path: '/user/text',
  access: 'user',
  summary: "Count the caller's pictures whose text is yet to be recognised, which searches don't find by it",
  data: z.object({ waiting: count.meta({ description: '0 where text isn’t recognised' }) }),
});

export const getTextProgress = route({
  method: 'GET',
  path: '/admin/text',
  access: 'admin',
  summary: 'Get the progress of text recognition',
  data: z.object({
    pictures: count.meta({ description: 'Pictures of users who have not opted out, outside the trash' }),
    waiting: count.meta({ description: 'How many of them are waiting' }),
    pause: z
      .enum(['off', 'battery', 'busy'])
      .nullable()
      .meta({ description: 'Why none is being recognised: it is off, the computer runs on battery, or uploads and previews come first' }),
    cpu_seconds: z.number().min(0).meta({ description: 'Processor time per picture: measured since the start, otherwise typical' }),
  }),
});
export type TextProgress = z.infer<typeof getTextProgress.data>;
