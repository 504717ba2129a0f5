import { z } from 'zod';
import { IMPORT_PRODUCTS } from '#api/constants.ts';
import { asSent, count, instant, nothing, route } from '#api/contract.ts';

/** Failures that are listed. */
export const MAX_IMPORT_FAULTS = 50;

const token = asSent(4096, 1).meta({
  description: 'A token of the other product; of Slink, the user name and password with a colon between them. Kept in memory only',
});

/** What an import has done so far. */
export const importProgress = z.object({
  product: z.enum(IMPORT_PRODUCTS),
  address: z.string(),
  user_id: z.int().meta({ description: 'Who has started it, and gets the pictures' }),
  started_at: instant,
  finished_at: instant.nullable(),
  found: count.meta({ description: 'Pictures at the other product' }),
  listed: z.boolean().meta({ description: 'All pictures have been found' }),
  imported: count,
  present: count.meta({ description: 'Pictures that were here before' }),
  failed: count,
  gone: count.meta({ description: 'Pictures that were deleted at the other product meanwhile' }),
  videos: count.meta({ description: 'Videos, which stay behind' }),
  other_files: count.meta({ description: 'Other files that stay behind' }),
  faults: z
    .array(z.object({ name: z.string(), reason: z.string() }))
    .meta({ description: `The latest failures, at most ${MAX_IMPORT_FAULTS}` }),
  not_brought: z.record(z.string(), count).meta({ description: 'What pictures had that doesn’t come along, by kind' }),
  fault: z.string().nullable().meta({ description: 'Why it has ended early, as a sentence' }),
});
export type ImportProgress = z.infer<typeof importProgress>;

export const getImport = route({
  method: 'GET',
  path: '/admin/import',
  access: 'admin',
  summary: 'Get the import from another product, running or ended',
  data: z.object({
    import: importProgress
      .extend({
        state: z.enum(['running', 'paused', 'done', 'failed']),
        needs_token: z.boolean().meta({ description: 'To continue, send the token again: the service has restarted, or it was refused' }),
        never_brought: z.array(z.string()).meta({ description: 'What never comes along from this product' }),
      })
      .nullable(),
  }),
});
export type ImportState = z.infer<typeof getImport.data>['import'];

export const startImport = route({
  method: 'POST',
  path: '/admin/import',
  access: 'admin',
  summary:
    'Import the caller’s pictures at another product, with names, dates, descriptions, tags, albums and visibility, in the background. The address may be in a private network; files at other hosts are fetched from the internet and the allowed hosts only. An import that has ended is replaced',
  body: z.object({ product: z.enum(IMPORT_PRODUCTS), url: asSent(2048, 1).meta({ description: 'Address of the other product' }), token }),
  data: nothing,
  errors: ['conflict'],
});

export const pauseImport = route({
  method: 'POST',
  path: '/admin/import/pause',
  access: 'admin',
  summary: 'Pause the import',
  data: nothing,
  errors: ['not_found'],
});

export const continueImport = route({
  method: 'POST',
  path: '/admin/import/continue',
  access: 'admin',
  summary: 'Continue the import, or run it again: it brings what is missing',
  body: z.object({ token: token.optional() }),
  data: nothing,
  errors: ['not_found', 'conflict'],
});

export const stopImport = route({
  method: 'DELETE',
  path: '/admin/import',
  access: 'admin',
  summary: 'Stop and forget the import; its pictures stay',
  data: nothing,
});
