import type { Album } from '#api/albums/albums.ts';
import type { AlbumMember } from '#api/albums/members.ts';
import { type SharedImage, sharedImage } from '#api/albums/pictures.ts';
import type { User } from '#api/auth/auth.ts';
import type { Image } from '#api/images/images.ts';
import type { RequestLink } from '#api/sharing/requests.ts';
import { ADA } from './account.ts';
import { anImage, sorted } from './images.ts';
import { type GroupShare, type Library, momentOf, nextNumber, pageOf, personOf } from './library.ts';
import { type Api, refuse } from './service.ts';

/** A private album without pictures of the user `ada`, changed by what is given. The service itself counts its members and pictures. */
export function anAlbum({
  owner = personOf(ADA),
  ...changes
}: Partial<Omit<Album, 'member_count' | 'image_count' | 'cover_url'>> = {}): Album {
  const number = nextNumber();
  const id = `album${String(number).padStart(5, '0')}`;
  return {
    id,
    name: `Album ${number}`,
    description: '',
    visibility: 'private',
    has_password: false,
    owner,
    role: 'owner',
    member_count: 0,
    shared_through: !changes.role || changes.role === 'owner' ? null : { kind: 'user' },
    for_team: ['group', 'everyone'].includes(changes.shared_through?.kind ?? ''),
    image_count: 0,
    sorted: false,
    cover_key: null,
    allow_download: true,
    expires_at: null,
    cover_url: null,
    share_url: `${location.origin}/a/${changes.id ?? id}`,
    created_at: momentOf(number),
    updated_at: momentOf(number),
    ...changes,
  };
}

export const aMember = (user: User, role: AlbumMember['role']): AlbumMember => ({
  ...personOf(user),
  role,
  added_at: momentOf(nextNumber()),
});

/** A picture of an album as those see it who share the album. */
export const aSharedImage = (owner: User, changes: Partial<Image> = {}): SharedImage => shareImage(anImage(changes), owner);

const shareImage = (image: Image, owner: User): SharedImage =>
  sharedImage.parse({ ...image, password_required: false, owner: personOf(owner), added_by: personOf(owner) });

/** Albums, and what their members do. */
export function albumsApi(library: Library): Api {
  const find = (id: string) => library.albums.find((album) => album.id === id);
  const membersOf = (id: string) => (library.members[id] ??= []);
  const groupsOf = (id: string) => (library.shares[id] ??= []);
  const othersIn = (id: string) => (library.others[id] ??= []);
  const requests: RequestLink[] = [];
  const ownIn = (id: string) => library.images.filter(({ albums, deleted_at }) => albums.includes(id) && !deleted_at);
  const picturesOf = (id: string) => [...ownIn(id).map((image) => shareImage(image, library.signedIn())), ...othersIn(id)];
  const present = (album: Album): Album => {
    const pictures = sorted(picturesOf(album.id), 'uploaded_desc');
    const cover = pictures.find(({ key }) => key === album.cover_key) ?? pictures[0];
    const { length: member_count } = membersOf(album.id);
    return { ...album, member_count, image_count: pictures.length, cover_url: cover?.links.thumbnail_url ?? null };
  };
  return {
    'GET /albums': ({ query }) => pageOf(library.albums.filter(({ role }) => (role !== 'owner') === Boolean(query.shared)).map(present)),
    'POST /albums': ({ body: { access_password, expires_in: _in, expires_at: _at, ...rest } }) => {
      const album = anAlbum({ ...rest, owner: personOf(library.signedIn()), has_password: Boolean(access_password) });
      library.albums.unshift(album);
      return album;
    },
    'POST /albums/order': ({ body: { ids } }) => {
      const moved = ids.map((id) => find(id) as Album);
      library.albums = [...moved, ...library.albums.filter((album) => !moved.includes(album))];
      return {};
    },
    'GET /albums/:id': ({ params: { id } }) => {
      const album = find(id);
      return album ? present(album) : refuse('not_found');
    },
    'GET /albums/:id/hidden': { private: 0, expired: 0, password_protected: 0, view_limited: 0 },
    'PATCH /albums/:id': ({ params: { id }, body: { access_password, expires_in, expires_at, ...rest } }) => {
      const album = find(id);
      if (!album) return refuse('not_found');
      const ends = expires_in ? new Date(Date.now() + expires_in * 1_000).toISOString() : (expires_at ?? null);
      return present(
        Object.assign(album, rest, access_password !== undefined && { has_password: access_password !== null }, {
          ...((expires_in !== undefined || expires_at !== undefined) && { expires_at: ends }),
        }),
      );
    },
    'DELETE /albums/:id': ({ params: { id }, query: { images } }) => {
      for (const image of ownIn(id)) {
        image.albums = image.albums.filter((other) => other !== id);
        if (images === 'trash') image.deleted_at = new Date().toISOString();
      }
      library.albums = library.albums.filter((album) => album.id !== id);
      return {};
    },

    'GET /albums/:id/members': ({ params: { id } }) => ({
      items: membersOf(id),
      groups: groupsOf(id).flatMap((each) => (each.group ? [{ ...each, group: each.group }] : [])),
      everyone: groupsOf(id).some(({ group }) => !group)
        ? { ...(groupsOf(id).find(({ group }) => !group) as GroupShare), everyone: true }
        : null,
    }),
    'GET /team/new': () => ({ albums: Object.entries(library.news).map(([id, count]) => ({ id, count })) }),
    'GET /team': () => ({
      users: [...(library.user ? [library.user] : []), ...library.users].map(({ id, username, avatar_url }) => ({
        id,
        username,
        name: username,
        avatar_url,
      })),
      groups: library.groups,
    }),
    'PUT /albums/:id/members': ({ params: { id }, body: { username, group_id, everyone, role } }) => {
      if (everyone || group_id !== undefined) {
        const named = library.groups.find((each) => each.id === group_id);
        if (!everyone && !named) return refuse('not_found');
        const share: GroupShare = {
          ...(named && { group: { id: named.id, name: named.name } }),
          member_count: named?.member_count ?? library.users.length,
          role,
          added_at: momentOf(nextNumber()),
        };
        library.shares[id] = [...groupsOf(id).filter(({ group }) => group?.id !== group_id), share];
        return share.group ? { ...share, group: share.group } : { ...share, everyone: true };
      }
      const known = membersOf(id).find((member) => member.username === username);
      if (known) return Object.assign(known, { role });
      const user = library.users.find((each) => each.username === username);
      if (!user) return refuse('not_found');
      const member = aMember(user, role);
      membersOf(id).push(member);
      return member;
    },
    'DELETE /albums/:id/members/:user_id': ({ params: { id, user_id } }) => {
      library.members[id] = membersOf(id).filter((member) => member.id !== user_id);
      if (user_id === library.signedIn().id) library.albums = library.albums.filter((album) => album.id !== id);
      return {};
    },
    'DELETE /albums/:id/groups/:group_id': ({ params: { id, group_id } }) => {
      library.shares[id] = groupsOf(id).filter(({ group }) => group?.id !== group_id);
      return {};
    },
    'DELETE /albums/:id/everyone': ({ params: { id } }) => {
      library.shares[id] = groupsOf(id).filter(({ group }) => group);
      return {};
    },
    'GET /albums/:id/requests': ({ params: { id } }) => pageOf(requests.filter(({ album_id }) => album_id === id)),
    'POST /albums/:id/requests': ({ params: { id }, body: { access_password, expires_in, message = '', ...rest } }) => {
      const number = nextNumber();
      const request: RequestLink = {
        ...rest,
        id: `request${String(number).padStart(15, '0')}`,
        url: `${location.origin}/r/request${number}`,
        album_id: id,
        own: true,
        message,
        has_password: Boolean(access_password),
        file_count: 0,
        byte_count: 0,
        state: 'open',
        expires_at: new Date(Date.now() + expires_in * 1_000).toISOString(),
        created_at: momentOf(number),
      };
      requests.unshift(request);
      return request;
    },
    'GET /albums/:id/images': ({ params: { id }, query: { q, sort, type, favourite, tag } }) => {
      if (!find(id)) return refuse('not_found');
      // Of others' pictures, neither is known.
      const has = (key: string, what: (image: Image) => boolean) => ownIn(id).some((image) => image.key === key && what(image));
      const found = picturesOf(id).filter(
        ({ key, name, ext }) =>
          (!q || name.includes(q)) &&
          (!type || ext === type) &&
          (!favourite || has(key, (image) => image.favourite)) &&
          (!tag || has(key, ({ tags }) => tags.includes(tag))),
      );
      return pageOf(sorted(found, sort, library.orders[id]));
    },
    'POST /albums/:id/images': ({ params: { id }, body: { keys = [] } }) => {
      const images = library.images.filter(({ key }) => keys.includes(key));
      const undo = library.remember(images);
      for (const image of images) if (!image.albums.includes(id)) image.albums = [...image.albums, id];
      return { results: keys.map((key) => ({ key, ok: true })), processed: images.length, failed: 0, undo };
    },
    'POST /albums/:id/images/remove': ({ params: { id }, body: { keys = [] } }) => {
      library.others[id] = othersIn(id).filter(({ key }) => !keys.includes(key));
      for (const image of ownIn(id)) if (keys.includes(image.key)) image.albums = image.albums.filter((album) => album !== id);
      return { results: keys.map((key) => ({ key, ok: true })), processed: keys.length, failed: 0 };
    },
    'POST /albums/:id/images/order': ({ params: { id }, body: { keys, before } }) => {
      const order = (library.orders[id] ?? sorted(picturesOf(id), 'uploaded_desc').map(({ key }) => key)).filter(
        (key) => !keys.includes(key),
      );
      library.orders[id] = order.toSpliced(before === null ? order.length : order.indexOf(before), 0, ...keys);
      Object.assign(find(id) ?? {}, { sorted: true });
      return {};
    },
  };
}
