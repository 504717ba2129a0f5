import { z } from 'zod';
import { asSent, count, page, route } from '#api/contract.ts';
import { listImages } from './images.ts';

const filters = listImages.query.omit({ cursor: true, limit: true, until: true });

const month = z.object({
  month: z.string().nullable().meta({ description: 'Such as `2026-11`; null if the list isn’t sorted by date' }),
  count,
  days: z.array(z.tuple([z.int().min(1).max(31), count])).meta({ description: 'Days of the month, each with its number of pictures' }),
  shapes: z.string().meta({
    description: 'Base64 of one byte per picture: 128 + 64 × log₂(width ÷ height), rounded, from 0 to 255',
  }),
});
export type TimelineMonth = z.infer<typeof month>;

export const getTimeline = route({
  method: 'GET',
  path: '/images/timeline',
  access: 'user',
  summary: 'Get the number and aspect ratios of the pictures in a list by month, with cursors for its pages',
  query: filters.extend({
    by: z
      .enum(['taken', 'uploaded'])
      .optional()
      .meta({ description: '`taken` is short for `sort=taken_desc`, `uploaded` for `sort=uploaded_desc`; `sort` takes precedence' }),
    sort: filters.shape.sort.unwrap().optional().meta({ description: 'As in `GET /images`; default: `by`, otherwise `uploaded_desc`' }),
    time_zone: asSent(64)
      .refine(isTimeZone, 'it must be a time zone, such as Europe/Berlin')
      .default('UTC')
      .meta({ description: 'IANA time zone that determines when each day begins', examples: ['Europe/Berlin'] }),
  }),
  data: z.object({
    count,
    page_size: count,
    cursors: z.array(z.string()).meta({
      description: 'The end of each page of `page_size` pictures except the last, for `cursor` and `until` of `GET /images`',
    }),
    months: z.array(month),
    similar: z.array(z.string()).meta({ description: 'Words that `q` also searched for, as no picture contains the typed ones' }),
  }),
});

export const listMonths = route({
  method: 'GET',
  path: '/images/months',
  access: 'user',
  summary: "List the months in which the caller's pictures were taken, latest first",
  data: z.object({ months: z.array(z.string().meta({ description: 'Such as `2026-11`, in UTC' })) }),
});

export const MAX_PLACEHOLDERS = 1_000;

export const listPlaceholders = route({
  method: 'GET',
  path: '/images/placeholders',
  access: 'user',
  summary: 'List the ThumbHashes of the pictures in a list, as Base64; null if not generated yet',
  query: listImages.query.extend({ limit: z.coerce.number().int().min(1).max(MAX_PLACEHOLDERS).default(MAX_PLACEHOLDERS) }),
  data: page(z.string().nullable()),
});

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
