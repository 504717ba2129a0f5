import { z } from 'zod';
import { count } from '#api/contract.ts';

/** A host that views came from. */
export const viewSource = z.object({
  host: z
    .string()
    .nullable()
    .meta({ description: 'Null: all other hosts combined', examples: ['example.com'] }),
  views: count,
});
export type ViewSource = z.infer<typeof viewSource>;
