import { z } from 'zod';
import { person } from '#api/albums/albums.ts';
import { albumId, count, instant, route } from '#api/contract.ts';

const teammate = person.extend({
  name: z.string().meta({ description: 'The name to show' }),
  connected: z.enum(['app', 'browser']).nullable().optional().meta({
    description:
      'With what they are connected now: a desktop app that has joined this server, or a browser; null: with neither. Absent where several services share the work, each of which knows its own connections only',
  }),
});
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

export const getTeamNews = route({
  method: 'GET',
  path: '/team/new',
  access: 'user',
  summary:
    'Count what others have uploaded to the albums that are shared with the caller’s group or with everyone; albums without such pictures are left out',
  query: z.object({ since: instant.meta({ description: 'Only pictures uploaded after this moment' }) }),
  data: z.object({ albums: z.array(z.object({ id: albumId, count: count.meta({ description: 'At most 100' }) })) }),
});
