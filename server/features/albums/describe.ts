import { type ExpressionBuilder, sql } from 'kysely';
import type { Album, Person } from '#api/albums/albums.ts';
import { findPeople } from '#server/core/accounts/people.ts';
import { albumsOfOthers, type JoinedAlbum } from '#server/core/albums/members.ts';
import { conditionalImagesOfOthers, countOpenImages, findOpenCover } from '#server/core/albums/open-images.ts';
import type { Context } from '#server/core/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { keysetPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { presentAlbum } from './present.ts';

/** As many as the page of the team has room for. */
const MAX_TEAM_ALBUMS = 100;

const OWN_ORDER: Order = { direction: 'asc', columns: { position: 'number', id: 'string' } };
const LATEST_FIRST: Order = { direction: 'desc', columns: { joined_at: 'number', id: 'string' } };

/** A user's albums in their own order. */
export function listOwnAlbums(queries: Queries, ownerId: number, page: PageRequest): Promise<Page<JoinedAlbum>> {
  const own = queries.selectFrom('albums').selectAll().select(sql<'owner'>`'owner'`.as('role')).where('owner_id', '=', ownerId);
  return keysetPage(own, OWN_ORDER, page);
}

/** The albums that others share with a user, those shared last first. */
export function listSharedAlbums(queries: Queries, userId: number, page: PageRequest): Promise<Page<JoinedAlbum>> {
  const shared = queries.selectFrom(albumsOfOthers(queries, userId).as('shared')).selectAll();
  return keysetPage(shared, LATEST_FIRST, page);
}

/** The albums that others share with a user's group or with everyone, those shared last first. */
export async function listTeamAlbums(queries: Queries, userId: number): Promise<string[]> {
  const group = queries.selectFrom('users').select('group_id').where('id', '=', userId);
  const grouped = queries.selectFrom('album_groups').select('album_id').where('group_id', 'in', group);
  const rows = await queries
    .selectFrom(albumsOfOthers(queries, userId).as('shared'))
    .select('id')
    .where((row) => row.or([row('everyone_role', 'is not', null), row('id', 'in', grouped)]))
    .orderBy('joined_at', 'desc')
    .limit(MAX_TEAM_ALBUMS)
    .execute();
  return rows.map(({ id }) => id);
}

/** Albums as their owner or a member sees them. */
export async function describeAlbums(
  { db, links }: Pick<Context, 'db' | 'links'>,
  userId: number,
  albums: readonly JoinedAlbum[],
): Promise<Album[]> {
  const { read } = db;
  const people = await findPeople(
    read,
    albums.map(({ owner_id }) => owner_id),
  );
  const facts = await factsOf(
    read,
    albums.map(({ id }) => id),
  );
  const others = albums.filter(({ role }) => role !== 'owner');
  const shares = await findShares(
    read,
    userId,
    others.map(({ id }) => id),
  );
  const own = albums.filter(({ role }) => role === 'owner').map(({ id }) => id);
  const withGroups = await findGrouped(read, own);
  return Promise.all(
    albums.map(async (album) => {
      const { members = 0, cover = null } = facts.get(album.id) ?? {};
      const seen = album.role === 'owner' ? await seenByOwner(read, album, { members, cover }) : await seenByMember(read, album, userId);
      const through = shares.through.get(album.id) ?? null;
      const forTeam = album.everyone_role !== null || (album.role === 'owner' ? withGroups.has(album.id) : shares.grouped.has(album.id));
      const owner = people.get(album.owner_id) as Person;
      return presentAlbum(album, links, { role: album.role, owner, through, forTeam, memberCount: members, ...seen });
    }),
  );
}

export async function describeAlbum(context: Pick<Context, 'db' | 'links'>, userId: number, album: JoinedAlbum): Promise<Album> {
  const [described] = await describeAlbums(context, userId, [album]);
  return described as Album;
}

/** Of a row of `albums`. Where all accounts are members, those named one by one aren't counted again. */
const memberCount = sql<number>`case when albums.everyone_role is not null
  then (select count(*) from users where disabled_at is null and users.id <> albums.owner_id)
  else (select count(*) from (
    select user_id from album_members where album_id = albums.id
    union select users.id from album_groups join users on users.group_id = album_groups.group_id
      where album_id = albums.id and disabled_at is null and users.id <> albums.owner_id) as members)
  end`;

/** Those of some albums that are shared with a group. */
async function findGrouped(queries: Queries, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries.selectFrom('album_groups').select('album_id').distinct().where('album_id', 'in', ids).execute();
  return new Set(rows.map(({ album_id }) => album_id));
}

/** Through what the albums of others are shared with a user; the nearest counts. */
async function findShares(queries: Queries, userId: number, ids: readonly string[]) {
  if (ids.length === 0) return { through: new Map<string, Album['shared_through']>(), grouped: new Set<string>() };
  const named = await queries
    .selectFrom('album_members')
    .select('album_id')
    .where('user_id', '=', userId)
    .where('album_id', 'in', ids)
    .execute();
  const grouped = await queries
    .selectFrom('album_groups')
    .innerJoin('groups', 'groups.id', 'album_groups.group_id')
    .innerJoin('users', 'users.group_id', 'groups.id')
    .select(['album_id', 'groups.name'])
    .where('users.id', '=', userId)
    .where('album_id', 'in', ids)
    .execute();
  const through = new Map<string, Album['shared_through']>([
    ...ids.map((id) => [id, { kind: 'everyone' }] as const),
    ...grouped.map(({ album_id, name }) => [album_id, { kind: 'group', name }] as const),
    ...named.map(({ album_id }) => [album_id, { kind: 'user' }] as const),
  ]);
  return { through, grouped: new Set(grouped.map(({ album_id }) => album_id)) };
}

/** The numbers of members of albums, and the covers that their owners see: the chosen one while it can be shown, else the first picture. */
async function factsOf(queries: Queries, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { members: number; cover: string | null }>();
  const now = Date.now();
  const rows = await queries
    .selectFrom('albums')
    .select((row) => [
      'albums.id',
      memberCount.as('members'),
      row.fn
        .coalesce(
          showable(row, now).whereRef('images.key', '=', 'cover_key').select('images.key').$asScalar(),
          showable(row, now)
            .select('images.key')
            .orderBy('album_images.position', 'desc')
            .orderBy('image_key', 'desc')
            .limit(1)
            .$asScalar(),
        )
        .as('cover'),
    ])
    .where('albums.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, members, cover }) => [id, { members, cover }]));
}

/** Of other users' pictures, those that their album's owner can open. */
const showable = (row: ExpressionBuilder<Tables, 'albums'>, now: number) =>
  row
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .whereRef('album_images.album_id', '=', 'albums.id')
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .where((image) => image.or([image('expires_at', 'is', null), image('expires_at', '>', now)]))
    .where(sql<boolean>`(images.owner_id = albums.owner_id or (images.password_hash is null and images.max_views = 0))`);

async function seenByOwner(queries: Queries, album: JoinedAlbum, { members, cover }: { members: number; cover: string | null }) {
  const closed = members === 0 ? 0 : await countConditional(queries, album);
  return { imageCount: album.image_count - closed, cover, seesCover: closed === 0 || cover === album.cover_key };
}

async function countConditional(queries: Queries, { id, owner_id }: JoinedAlbum): Promise<number> {
  const { count } = await conditionalImagesOfOthers(queries, id, owner_id)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function seenByMember(queries: Queries, album: JoinedAlbum, memberId: number) {
  const visitor = { trusted: false, memberId, unlocked: [] };
  const { open } = await countOpenImages(queries, album, visitor);
  const cover = (await findOpenCover(queries, album, visitor)) ?? null;
  return { imageCount: open, cover, seesCover: cover !== null && cover === album.cover_key };
}
