import { z } from 'zod';
import { albumId, count, instant, line, nothing, route } from '#api/contract.ts';
import { memberRole, person } from './albums.ts';

/** A user with whom the owner of an album shares it. */
const member = z.object({
  ...person.shape,
  role: memberRole,
  added_at: instant,
});
export type AlbumMember = z.infer<typeof member>;

const byId = z.object({ id: albumId });

export const listMembers = route({
  method: 'GET',
  path: '/albums/:id/members',
  access: 'user',
  summary: 'List the members of an album, without its owner; for its owner and members',
  params: byId,
  data: z.object({ items: z.array(member) }),
  errors: ['not_found'],
});

export const putMember = route({
  method: 'PUT',
  path: '/albums/:id/members',
  access: 'user',
  summary:
    'Share an album with a user of this server, by their exact user name, or change their role. Viewers see its pictures, also private ones; contributors add and remove their own; managers also remove others’ and change its texts, cover and order. Managers may do this for viewers and contributors',
  params: byId,
  body: z.object({ username: line(200, 1), role: memberRole }),
  data: member,
  errors: ['forbidden', 'not_found', 'conflict', 'rate_limited'],
});

export const removeMember = route({
  method: 'DELETE',
  path: '/albums/:id/members/:user_id',
  access: 'user',
  summary: 'Stop sharing an album with a user, or leave it; their pictures leave the album, and nothing is deleted',
  params: byId.extend({ user_id: z.coerce.number().pipe(count) }),
  data: nothing,
  errors: ['forbidden', 'not_found'],
});
