import type { User } from '#api/auth/auth.ts';
import type { Image } from '#api/images/images.ts';
import { type Sent, type SentImage, sentImage } from '#api/sent.ts';
import { ADA } from './account.ts';
import { type Library, momentOf, nextNumber, pageOf, personOf } from './library.ts';
import { type Api, refuse } from './service.ts';

const presentImage = (image: Image, owner: User): SentImage =>
  sentImage.parse({ ...image, password_required: false, owner: personOf(owner) });

const newId = () => `sent${String(nextNumber()).padStart(18, '0')}`;

/** Something that a user has sent to `ada`. */
export const aReceived = (sender: User, images: readonly Image[], changes: Partial<Sent> = {}): Sent => ({
  id: newId(),
  sender: personOf(sender),
  message: '',
  created_at: momentOf(nextNumber()),
  seen_at: null,
  image_count: images.length,
  items: images.map((image) => presentImage(image, sender)),
  ...changes,
});

/** Something that `ada` has sent. */
export const aSent = (recipients: readonly User[], images: readonly Image[], changes: Partial<Sent> = {}): Sent => ({
  ...aReceived(ADA, images),
  recipients: recipients.map((user) => ({ ...personOf(user), seen_at: null })),
  ...changes,
});

/** What users send to each other. */
export function sentApi(library: Library): Api {
  const all = () => [...library.received, ...library.sent];
  return {
    'GET /sent': ({ query: { box, limit } }) => ({
      ...pageOf((box === 'in' ? library.received : library.sent).slice(0, limit)),
      unseen: library.received.filter(({ seen_at }) => seen_at === null).length,
    }),
    'POST /sent': ({ body: { keys, to, message } }) => {
      const names = to.flatMap((one) => ('username' in one ? [one.username] : []));
      const unknown = names.find((name) => !library.users.some(({ username }) => username === name));
      if (unknown) return refuse('not_found', { field: 'to', problem: 'unknown_user', subject: unknown });
      const inGroups = to.some((one) => 'group_id' in one) ? library.users : [];
      const recipients = new Set([...library.users.filter(({ username }) => names.includes(username)), ...inGroups]);
      const images = keys.map((key) => library.images.find((image) => image.key === key) as Image);
      const sent = aSent([...recipients], images, { message });
      library.sent.unshift(sent);
      return sent;
    },
    'GET /albums/:id/received': ({ params: { id } }) =>
      pageOf(library.received.flatMap(({ items }) => items).filter(({ key }) => library.inAlbums[id]?.includes(key))),
    'POST /albums/:id/received': ({ params: { id }, body: { keys } }) => {
      library.inAlbums[id] = [...(library.inAlbums[id] ?? []), ...keys];
      return {};
    },
    'DELETE /albums/:id/received/:key': ({ params: { id, key } }) => {
      library.inAlbums[id] = library.inAlbums[id]?.filter((one) => one !== key) ?? [];
      return {};
    },
    'POST /sent/:id/seen': ({ params: { id } }) => {
      const entry = library.received.find((one) => one.id === id);
      if (!entry) return refuse('not_found');
      entry.seen_at = momentOf(nextNumber());
      return {};
    },
    'DELETE /sent/:id': ({ params: { id } }) => {
      if (!all().some((one) => one.id === id)) return refuse('not_found');
      library.received = library.received.filter((one) => one.id !== id);
      library.sent = library.sent.filter((one) => one.id !== id);
      return {};
    },
  };
}
