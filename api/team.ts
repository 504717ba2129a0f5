import { z } from 'zod';
import { person } from '#api/albums/albums.ts';
import { count, route } from '#api/contract.ts';

const teammate = person.extend({ name: z.string().meta({ description: 'The name to show' }) });
export type Teammate = z.infer<typeof teammate>;

export const getTeam = route({
  method: 'GET',
  path: '/team',
  access: 'user',
  summary:
    'List the accounts of this server and the groups that an admin has listed, by name. `not_found` while `team_directory` is off: names must then be typed exactly',
  data: z.object({
    users: z.array(teammate),
    groups: z.array(z.object({ id: count, name: z.string(), member_count: count })),
  }),
  errors: ['not_found'],
});
