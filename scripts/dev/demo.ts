// Fills an empty service with users, albums and generated pictures, through its HTTP API.

import { type Client, createClient } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { API_PREFIX } from '#api/constants.ts';
import type { Route, RouteInput } from '#api/contract.ts';
import { changeAdminSettings } from '../../api/admin/settings.ts';
import { createUser } from '../../api/admin/users.ts';
import { changeAlbum, createAlbum } from '../../api/albums/albums.ts';
import { login, setup } from '../../api/auth/auth.ts';
import { createInvite } from '../../api/auth/invites.ts';
import { createToken } from '../../api/auth/tokens.ts';
import { batchImages, updateImage } from '../../api/images/changes.ts';
import { listImages } from '../../api/images/images.ts';
import { type FormFields, type Uploaded, upload } from '../../api/images/upload.ts';
import { send } from '../../api/sent.ts';
import { type Drawing, draw } from './demo-pictures.ts';

const PASSWORD = 'pixdock-demo';
export const DEMO_OWNER = { username: 'ada', password: PASSWORD };
/** The password of the protected picture and album. */
const LINK_PASSWORD = 'demo';
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;

/** One picture: its drawing, name and sharing options. */
interface DemoPicture {
  drawing: Drawing;
  name: string;
  tags?: string[];
  favourite?: boolean;
  fields?: FormFields;
}

type Named = [kind: Drawing['kind'], seed: number, name: string];

const SCREENSHOTS: Named[] = [
  ['board', 0, 'Sprint board.png'],
  ['terminal', 6, 'Last tram is late.png'],
  ['code', 0, 'Retry until confirmed.png'],
  ['chart', 0, 'Search in November.png'],
  ['diagram', 0, 'Who asks whom.png'],
  ['customers', 1, 'Customers in October.png'],
  ['screens', 1, 'Tram app, draft 3.png'],
  ['code', 2, 'Late routes.png'],
  ['code', 6, 'Fares by zone.png'],
  ['chart', 2, 'Energy of the depot.png'],
  ['terminal', 0, 'Deployed to harbour.png'],
  ['customers', 0, 'Customers in November.png'],
];

/**
 * Fills the service at `url`, which must have no account yet.
 * @param setupCode waits for the code that the service prints while it has no account
 * @param say called with progress messages
 * @returns whether it was filled; false when it has accounts
 */
export async function fillDemo(url: string, setupCode: () => Promise<string>, say: (message: string) => void): Promise<boolean> {
  const { setup_required } = await createClient({ baseUrl: url }).call(getConfig, {});
  if (!setup_required) return false;
  say('Creating the demo data…');
  const setup_code = await setupCode();
  const owner = await signIn(url, setup, { ...DEMO_OWNER, email: 'ada@example.org', site_name: 'Pixdock demo', setup_code });
  await owner.call(changeAdminSettings, { body: { registration_mode: 'invite', guest_upload_enabled: true } });
  for (const [username, role] of [
    ['bea', 'admin'],
    ['cleo', 'user'],
    ['dan', 'user'],
  ] as const)
    await owner.call(createUser, { body: { username, email: `${username}@example.org`, password: PASSWORD, role } });
  await owner.call(createInvite, { body: { note: 'For the new colleague' } });
  await owner.call(createToken, { body: { name: 'PicGo on the laptop', scope: 'upload' } });

  await fillOwner(owner);
  await fillUser(await signIn(url, login, { login: 'bea', password: PASSWORD }), 'Conference', 200);
  const cleo = await signIn(url, login, { login: 'cleo', password: PASSWORD });
  const garden = await fillUser(cleo, 'Garden', 300);
  await cleo.call(send, {
    body: { keys: garden.map(({ key }) => key), to: [{ username: DEMO_OWNER.username }], message: 'The garden in May.' },
  });
  const { items } = await owner.call(listImages, { query: { limit: 3, tag: 'alps' } });
  const to = [{ username: 'bea' }, { username: 'cleo' }];
  await owner.call(send, { body: { keys: items.map(({ key }) => key), to, message: 'From the summit' } });
  return true;
}

/** The client of the demo data's owner. */
export const signInToDemo = (url: string): Promise<Client> => signIn(url, login, { login: DEMO_OWNER.username, password: PASSWORD });

async function fillOwner(owner: Client) {
  const mountains = await owner.call(createAlbum, {
    body: { name: 'Mountains', description: 'A week in the Alps', visibility: 'public' },
  });
  const screenshots = await owner.call(createAlbum, { body: { name: 'Screenshots' } });
  const boathouse = await owner.call(createAlbum, { body: { name: 'Boathouse', visibility: 'public', access_password: LINK_PASSWORD } });

  const alpine = await add(owner, 9, (index) => ({
    drawing: { kind: 'landscape', seed: index, portrait: index % 5 === 3 },
    name: `Summit ${index + 1}.jpg`,
    tags: index % 2 ? ['alps', 'summer'] : ['alps'],
    favourite: index % 6 === 0,
    fields: { album_id: mountains.id, visibility: 'public', taken_at: daysAgo(20 + index) },
  }));
  await owner.call(changeAlbum, { params: { id: mountains.id }, body: { cover_key: (alpine[1] as Uploaded).key } });
  await addAll(
    owner,
    [
      ['plan', 0, 'Boathouse, variant B.png'],
      ['plan', 1, 'Boathouse, variant A.png'],
      ['map', 1, 'Way to the boathouse.webp'],
      ['landscape', 12, 'View from the jetty.webp'],
    ],
    { fields: { album_id: boathouse.id, visibility: 'public' } },
  );
  await addAll(owner, SCREENSHOTS, { tags: ['work'], fields: { album_id: screenshots.id, visibility: 'private' } });
  const shared: [Drawing['kind'], number, string, FormFields][] = [
    ['diagram', 5, 'Protected (password: demo).png', { visibility: 'public', access_password: LINK_PASSWORD }],
    ['chart', 7, 'Expires in a week.png', { visibility: 'public', expires_in: String(7 * DAY_SECONDS) }],
    ['screens', 2, 'Three views.png', { visibility: 'public', max_views: '3' }],
    ['landscape', 2, '最后一张图片.jpg', { visibility: 'private' }],
  ];
  for (const [kind, seed, name, fields] of shared) await addAll(owner, [[kind, seed, name]], { fields });
  const unwanted = await addAll(owner, [
    ['terminal', 9, 'Wrong window 1.png'],
    ['code', 9, 'Wrong window 2.png'],
    ['board', 9, 'Wrong window 3.png'],
  ]);
  await owner.call(batchImages, { body: { action: 'trash', keys: unwanted.map(({ key }) => key) } });
}

async function fillUser(client: Client, albumName: string, seed: number) {
  const album = await client.call(createAlbum, { body: { name: albumName, visibility: 'public' } });
  return await add(client, 6, (index) => ({
    drawing: { kind: index % 2 ? 'chart' : 'landscape', seed: seed + index },
    name: `${albumName} ${index + 1}.jpg`,
    tags: [albumName.toLowerCase()],
    fields: { album_id: album.id, visibility: 'public' },
  }));
}

/** Uploads pictures that differ in their drawings and names only. */
const addAll = (client: Client, pictures: readonly Named[], same: Omit<DemoPicture, 'drawing' | 'name'> = {}) =>
  add(client, pictures.length, (index) => {
    const [kind, seed, name] = pictures[index] as Named;
    return { ...same, drawing: { kind, seed }, name };
  });

/** Uploads `amount` pictures one after the other, so that their order is always the same. */
async function add(client: Client, amount: number, describe: (index: number) => DemoPicture): Promise<Uploaded[]> {
  const added: Uploaded[] = [];
  for (let index = 0; index < amount; index++) {
    const { drawing, name, fields = {}, tags, favourite } = describe(index);
    const form = new FormData();
    form.append('file', new Blob([await draw(drawing, name)]), name);
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    const image = (await client.send(upload, form)) as Uploaded;
    if (tags || favourite) await client.call(updateImage, { params: { key: image.key }, body: { tags, favourite } });
    added.push(image);
  }
  return added;
}

/** Signs in through a route that sets the session's cookie, and returns a client that sends it. */
async function signIn<R extends Route>(url: string, route: R, body: RouteInput<R> extends { body: infer B } ? B : never): Promise<Client> {
  const response = await fetch(`${url}${API_PREFIX}${route.path}`, {
    method: route.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The demo data could not be created: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return createClient({
    baseUrl: url,
    fetch: (input, init = {}) => fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), cookie } }),
  });
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}
