import { z } from 'zod';
import { REFERRER_DAYS } from '#api/constants.ts';
import { count, route } from '#api/contract.ts';
import { image } from './images.ts';
import { viewSource } from './view-sources.ts';

const days = z.array(z.object({ date: z.iso.date(), views: count })).meta({ description: 'Every requested day (UTC), oldest first' });
export const viewReport = {
  total: count.meta({ description: 'Views by others in these days' }),
  days,
  sources: z.array(viewSource).meta({ description: 'Referring hosts, most views first, without views that have no referrer' }),
  counts_sources: z.boolean().meta({ description: 'False if counting referring hosts is turned off' }),
};
export const viewDays = z.object({ days: z.coerce.number().int().min(1).max(REFERRER_DAYS).default(30) });

export const getOwnViews = route({
  method: 'GET',
  path: '/user/views',
  access: 'user',
  summary: "Get the caller's most viewed pictures and their referring hosts",
  query: viewDays,
  data: z.object({ ...viewReport, images: z.array(z.object({ image, views: count })) }),
});
