import { hash, randomUUID } from 'node:crypto';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { putMember, removeMember } from '#api/albums/members.ts';
import { createToken, revokeToken } from '#api/auth/tokens.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { changeRequest, createRequest, deleteRequest, removeSentFile, type SentFile } from '#api/sharing/requests.ts';
import { readSettings } from '#server/core/settings/settings.ts';
import { image } from '#test/helpers/pictures/images.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';
import { Model, type Reader, readPictures, type State } from './model.ts';
import { OPERATIONS, send } from './operations.ts';
import type { Random } from './random.ts';

// Requests of every kind that writes, and what a client knows of their results.

interface Setting extends State {
  place: 'set';
  value: string;
}

interface Token extends State {
  place: 'valid' | 'nowhere';
}

interface Member extends State {
  place: 'member' | 'nowhere';
  role: string;
}

interface Link extends State {
  place: 'there' | 'nowhere';
  title: string;
  isPaused: boolean;
}

interface SentPicture extends State {
  place: 'sent' | 'removed' | 'nowhere';
}

/** The picture of an upload, by its Idempotency-Key; undefined: it has been deleted. */
interface Keyed extends State {
  place: 'known' | 'nowhere';
  picture: string | undefined;
}

/** The settings that are changed, each with the values that it gets in turns. */
const SETTINGS = {
  site_name: (number: number) => `Site ${number}`,
  accent_color: (number: number) => `#${(number % 0x1000000).toString(16).padStart(6, '0')}`,
  registration_mode: (number: number) => (number % 2 ? 'invite' : 'closed'),
  custom_addresses_enabled: (number: number) => number % 2 === 0,
};
const NAMES = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];

const readKeyed: Reader<Keyed> = async (queries) => {
  const rows = await queries
    .selectFrom('upload_keys')
    .leftJoin('images', 'images.id', 'image_id')
    .select(['upload_keys.key', 'images.key as picture'])
    .execute();
  return new Map(rows.map(({ key, picture }) => [key, { place: 'known', picture: picture ?? undefined }]));
};

const readValues: Reader<Setting> = async (queries) => {
  const settings = await readSettings(queries);
  return new Map(Object.entries(settings).map(([name, value]) => [name, { place: 'set', value: JSON.stringify(value) }]));
};

const readTokens: Reader<Token> = async (queries) => {
  const rows = await queries.selectFrom('tokens').select('name').execute();
  return new Map(rows.map(({ name }) => [name, { place: 'valid' }]));
};

const readMembers: Reader<Member> = async (queries) => {
  const rows = await queries.selectFrom('album_members').select(['album_id', 'user_id', 'role']).execute();
  return new Map(rows.map(({ album_id, user_id, role }) => [`${album_id} ${user_id}`, { place: 'member', role }]));
};

const readLinks: Reader<Link> = async (queries) => {
  const rows = await queries.selectFrom('request_links').select(['id', 'title', 'paused_at']).execute();
  return new Map(rows.map(({ id, title, paused_at }) => [id, { place: 'there', title, isPaused: paused_at !== null }]));
};

const readSent: Reader<SentPicture> = async (queries) => {
  const rows = await queries
    .selectFrom('request_files')
    .innerJoin('images', 'images.id', 'image_id')
    .select(['request_files.id', 'deleted_at'])
    .execute();
  return new Map(rows.map(({ id, deleted_at }) => [id, { place: deleted_at === null ? 'sent' : 'removed' }]));
};

/** What a client knows of everything that it has changed. */
export const createKnown = () => ({
  pictures: new Model(readPictures),
  keyed: new Model(readKeyed),
  settings: new Model(readValues),
  tokens: new Model(readTokens),
  members: new Model(readMembers),
  links: new Model(readLinks),
  sent: new Model(readSent),
});
export type Known = ReturnType<typeof createKnown>;

/** What exists before the first request. */
export interface Site {
  owner: SignedIn;
  /** Of the owner, with pictures. */
  albums: string[];
  members: (SignedIn & { id: number; username: string })[];
  /** Request links that pictures are sent through. They are paused now and then, but not deleted. */
  links: string[];
  /** The album of each request link, and the link of each picture that was sent. */
  whereIs: Map<string, string>;
  /** By the names of tokens; outside the service, ids have another form. */
  tokens: Map<string, { id: string; secret: string }>;
  /** How often members were added. */
  joined: number;
}

/** What a request needs. */
export interface Writing {
  site: Site;
  known: Known;
  random: Random;
  /** Resolves once a query of the database finds something, or the request has ended that will write it. */
  found(sql: string, value: string, request: Promise<unknown>): Promise<void>;
  /** Counts an acknowledged request. */
  acknowledged(kind: string): void;
}

const SENDER = { 'x-sender': 'a-secret-of-the-only-sender' };
/** Such files don't stay in memory (`server/platform/storage/staging.ts`). */
const LARGE = { width: 700, height: 520 };
/** The service limits how often an account names users who aren't members. */
const MAX_JOINED = 20;
let number = 0;

/** A PNG that is different from all others, one in five of them larger than a megabyte. */
async function pictureOf(random: Random): Promise<Buffer> {
  number++;
  if (random.chance(0.8)) return tinyPng(number);
  return image({ ...LARGE, seed: number })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

function formOf(bytes: Buffer): FormData {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), `${number}.png`);
  return body;
}

/** Uploads a picture, and again as soon as the database shows the first upload, which need not be flushed by then. Ends with the second response. */
async function uploadTwice({ site: { owner }, known, random, found, acknowledged }: Writing, key?: string) {
  const bytes = await pictureOf(random);
  const headers: Record<string, string> = key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key };
  const upload = async () => {
    const { key: picture, sha256 } = await send(owner, 'POST', '/upload', { body: formOf(bytes), headers });
    known.pictures.added(picture, { place: 'library', sha256 });
    if (key !== undefined) known.keyed.added(key, { place: 'known', picture });
  };
  const first = upload().then(() => acknowledged('upload'));
  first.catch(() => undefined); // the second response counts
  if (key === undefined) await found('SELECT 1 FROM images WHERE input_sha256 = ?', hash('sha256', bytes), first);
  else await found('SELECT 1 FROM upload_keys WHERE key = ?', key, first);
  await upload();
  return true;
}

/** One request of a kind; false if there is nothing for it at the moment. */
type Write = (writing: Writing) => Promise<boolean>;

export const WRITES = {
  async upload({ site: { owner }, known, random }) {
    if (random.chance(0.5)) return OPERATIONS.upload(owner, known.pictures);
    const { key, sha256 } = await send(owner, 'POST', '/upload', { body: formOf(await pictureOf(random)) });
    known.pictures.added(key, { place: 'library', sha256 });
    return true;
  },
  repeat: (writing) => uploadTwice(writing),
  'keyed retry': (writing) => uploadTwice(writing, randomUUID()),

  replacement: ({ site, known, random }) => OPERATIONS.replace(site.owner, known.pictures, random),
  rename: ({ site, known, random }) => OPERATIONS.rename(site.owner, known.pictures, random),
  trash: ({ site, known, random }) => OPERATIONS.trash(site.owner, known.pictures, random),
  restore: ({ site, known, random }) => OPERATIONS.restore(site.owner, known.pictures, random),
  deletion: ({ site, known, random }) => OPERATIONS.purge(site.owner, known.pictures, random),

  async visibility({ site: { owner }, known: { pictures }, random }) {
    const keys = pictures.keysIn('library');
    if (keys.length === 0) return false;
    const key = random.pick(keys);
    const visibility = pictures.stateOf(key)?.visibility === 'private' ? 'public' : 'private';
    const send = () => owner.client.call(updateImage, { params: { key }, body: { visibility } });
    return pictures.change(key, { visibility }, async () => void (await send()));
  },

  async batch({ site: { owner }, known: { pictures }, random }) {
    const keys = pictures.keysIn('library').slice(-(2 + random.below(4)));
    if (keys.length === 0) return false;
    const visibility = random.pick(['private', 'public'] as const);
    if (random.chance(0.7)) {
      const body = { action: 'visibility', keys, visibility } as const;
      return pictures.changeAll(keys, { visibility }, async () => void (await owner.client.call(batchImages, { body })));
    }
    const body = { action: 'trash', keys } as const;
    return pictures.changeAll(keys, { place: 'trash' }, async () => void (await owner.client.call(batchImages, { body })));
  },

  async setting({ site: { owner }, known: { settings }, random }) {
    const free = NAMES.filter((name) => !settings.isBusy(name));
    if (free.length === 0) return false;
    const name = random.pick(free);
    const value = SETTINGS[name](++number);
    const send = () => owner.client.call(changeAdminSettings, { body: { [name]: value } });
    return settings.change(name, { place: 'set', value: JSON.stringify(value) }, async () => void (await send()));
  },

  async 'token created'({ site: { owner, tokens }, known }) {
    const name = `token ${++number}`;
    const { id, token: secret } = await owner.client.call(createToken, { body: { name, scope: 'full' } });
    tokens.set(name, { id, secret });
    known.tokens.added(name, { place: 'valid' });
    return true;
  },

  async 'token revoked'({ site, known: { tokens }, random }) {
    const names = tokens.keysIn('valid');
    if (names.length === 0) return false;
    const name = random.pick(names);
    const { id } = site.tokens.get(name) as { id: string };
    const send = () => site.owner.client.call(revokeToken, { params: { id } });
    return tokens.change(name, { place: 'nowhere' }, async () => void (await send()));
  },

  async member({ site, known, random }) {
    const { owner, albums, members } = site;
    const [id, { id: user_id, username }] = [random.pick(albums), random.pick(members)];
    const key = `${id} ${user_id}`;
    if (known.members.isBusy(key)) return false;
    const isMember = known.members.stateOf(key)?.place === 'member';
    if (isMember && random.chance(0.2)) {
      const send = () => owner.client.call(removeMember, { params: { id, user_id } });
      return known.members.change(key, { place: 'nowhere' }, async () => void (await send()));
    }
    if (!isMember && ++site.joined > MAX_JOINED) return false;
    const role = random.pick(['viewer', 'contributor', 'manager'] as const);
    const send = () => owner.client.call(putMember, { params: { id }, body: { username, role } });
    return known.members.change(key, { place: 'member', role }, async () => void (await send()));
  },

  async 'request link'({ site, known: { links }, random }) {
    const { owner, albums, whereIs } = site;
    const free = links.keysIn('there');
    if (free.length === 0 || (free.length < 8 && random.chance(0.4))) {
      const title = `Link ${++number}`;
      const made = await owner.client.call(createRequest, { params: { id: random.pick(albums) }, body: { title, show: 'own' } });
      whereIs.set(made.id, made.album_id);
      links.added(made.id, { place: 'there', title, isPaused: false });
      return true;
    }
    const request = random.pick(free);
    const params = { id: whereIs.get(request) as string, request };
    if (!site.links.includes(request) && random.chance(0.2))
      return links.change(request, { place: 'nowhere' }, async () => void (await owner.client.call(deleteRequest, { params })));
    const [title, isPaused] = [`Link ${++number}`, !links.stateOf(request)?.isPaused];
    const send = () => owner.client.call(changeRequest, { params, body: { title, paused: isPaused } });
    return links.change(request, { title, isPaused }, async () => void (await send()));
  },

  async sent({ site: { owner, links, whereIs }, known, random }) {
    const open = links.filter((id) => !known.links.isBusy(id) && known.links.stateOf(id)?.isPaused === false);
    if (open.length === 0) return false;
    const link = random.pick(open);
    const sender = { fetch: (path: string, init?: RequestInit) => fetch(owner.client.baseUrl + path, init) };
    const { remove_url } = await send<SentFile>(sender, 'POST', `/r/${link}/upload`, {
      body: formOf(await pictureOf(random)),
      headers: SENDER,
    });
    const file = remove_url?.split('/').at(-1) as string;
    whereIs.set(file, link);
    known.sent.added(file, { place: 'sent' });
    return true;
  },

  async 'sent and removed'({ site: { owner, whereIs }, known: { sent }, random }) {
    const files = sent.keysIn('sent');
    if (files.length === 0) return false;
    const file = random.pick(files);
    const send = () => owner.client.call(removeSentFile, { params: { id: whereIs.get(file) as string, file }, body: {}, headers: SENDER });
    return sent.change(file, { place: 'removed' }, async () => void (await send()));
  },
} satisfies Record<string, Write>;
