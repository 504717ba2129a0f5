import { z } from 'zod';
import { albumId, count, instant, line, nothing, route } from '#api/contract.ts';
import { memberRole, person } from './albums.ts';

const granted = { role: memberRole, added_at: instant };
const memberCount = count.meta({ description: 'Accounts that this includes, without the owner of the album' });

/** A user with whom the owner of an album shares it. */
const member = z.object({ ...person.shape, ...granted });
export type AlbumMember = z.infer<typeof member>;

/** A group with whose members an album is shared. */
const memberGroup = z.object({ group: z.object({ id: count, name: z.string() }), member_count: memberCount, ...granted });
export type AlbumGroup = z.infer<typeof memberGroup>;

/** What every account of this server may do in an album. */
const everyone = z.object({ everyone: z.literal(true), member_count: memberCount, ...granted });

const byId = z.object({ id: albumId });

export const listMembers = route({
  method: 'GET',
  path: '/albums/:id/members',
  access: 'user',
  summary: 'List the members of an album, without its owner, and the groups with which it is shared; for its owner and members',
  params: byId,
  data: z.object({
    items: z.array(member),
    groups: z.array(memberGroup),
    everyone: everyone.nullable().meta({ description: 'Null: it isn’t shared with everyone' }),
  }),
  errors: ['not_found'],
});

export const putMember = route({
  method: 'PUT',
  path: '/albums/:id/members',
  access: 'user',
  summary:
    'Share an album with a user of this server, by their exact user name, with a group that `GET /team` lists, or with everyone who has an account here (never guests), or change the role. The highest role of a person counts. Viewers see its pictures, also private ones; contributors add and remove their own; managers also remove others’ and change its texts, cover and order. Managers may do this for viewers and contributors',
  params: byId,
  body: z.object({
    username: line(200, 1).optional().meta({ description: 'Exactly one of these three' }),
    group_id: count.optional(),
    everyone: z.literal(true).optional(),
    role: memberRole,
  }),
  data: z.union([member, memberGroup, everyone]),
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

export const removeGroup = route({
  method: 'DELETE',
  path: '/albums/:id/groups/:group_id',
  access: 'user',
  summary: 'Stop sharing an album with a group; the pictures of those who are no longer members leave it, and nothing is deleted',
  params: byId.extend({ group_id: z.coerce.number().pipe(count) }),
  data: nothing,
  errors: ['forbidden', 'not_found'],
});

export const removeEveryone = route({
  method: 'DELETE',
  path: '/albums/:id/everyone',
  access: 'user',
  summary: 'Stop sharing an album with everyone; the pictures of those who are no longer members leave it, and nothing is deleted',
  params: byId,
  data: nothing,
  errors: ['forbidden', 'not_found'],
});
