import { z } from 'zod';
import { MAX_OLD_ADDRESSES, OLD_ADDRESSES_AT_ONCE } from '#api/constants.ts';
import { asSent, count, nothing, route } from '#api/contract.ts';

const oldAddresses = z.object({ count: count.meta({ description: 'Old addresses that lead to a picture' }) });

export const getOldAddresses = route({
  method: 'GET',
  path: '/admin/old-addresses',
  access: 'admin',
  summary: 'Count the addresses from before that lead to pictures',
  data: oldAddresses,
});

export const putOldAddresses = route({
  method: 'PUT',
  path: '/admin/old-addresses',
  access: 'admin',
  summary: `Let addresses from before, such as those that \`pixdock import --map\` writes, lead to pictures: up to ${OLD_ADDRESSES_AT_ONCE} at once, ${MAX_OLD_ADDRESSES} in all. They do so for those who may open the picture; to all others they don’t exist`,
  body: z.object({
    addresses: z
      .array(
        z.object({
          old: asSent(2048).meta({ description: 'An address or a path; its host and its query don’t matter', examples: ['/u/abc.png'] }),
          now: asSent(2048).meta({
            description: 'A link to a picture of this server',
            examples: ['https://pics.example.org/i/b7Rk2mQx9LpT.png'],
          }),
        }),
      )
      .min(1)
      .max(OLD_ADDRESSES_AT_ONCE),
    replace: z.boolean().optional().meta({ description: 'Removes all that were there' }),
  }),
  data: oldAddresses.extend({
    refused: z
      .array(
        z.object({
          old: z.string(),
          reason: z.enum(['not_an_address', 'own_address', 'no_such_picture']).meta({
            description:
              '`own_address`: a page or a link of Pixdock itself has this path; `no_such_picture`: `now` isn’t a link to a picture of this server',
          }),
        }),
      )
      .meta({ description: 'Those that were left out' }),
  }),
  errors: ['cross_site'],
});

export const deleteOldAddresses = route({
  method: 'DELETE',
  path: '/admin/old-addresses',
  access: 'admin',
  summary: 'Remove all addresses from before',
  data: nothing,
  errors: ['cross_site'],
});
