// The pages of the web application on the demo data, for people who look through them.
import { readFileSync } from 'node:fs';
import { listAlbums } from '../../api/albums/albums.ts';
import { createInvite } from '../../api/auth/invites.ts';
import type { Client } from '../../api/client.ts';
import { listImages } from '../../api/images/images.ts';
import { createRequest } from '../../api/sharing/requests.ts';

/** A page, and whom it is shown to. */
export interface DemoPage {
  name: string;
  path: string;
  isPublic?: true;
}

const SECTIONS = new URL('../../renderer/features/admin/sections.ts', import.meta.url);
const SETTINGS = ['appearance', 'uploads', 'views', 'phone', 'tokens', 'sessions', 'account', 'computer'];

/** Every page of the demo data; the client is its owner's. */
export async function demoPages(owner: Client): Promise<DemoPage[]> {
  const { items } = await owner.call(listImages, { query: { limit: 100 } });
  const { items: albums } = await owner.call(listAlbums, { query: {} });
  const sections = [...readFileSync(SECTIONS, 'utf8').matchAll(/id: '(\w+)'/g)].map(([, id]) => id);
  const asked = albums.find((album) => album.name === 'Mountains')?.id ?? '';
  const ask = (body: { title: string; access_password?: string }) =>
    owner.call(createRequest, { params: { id: asked }, body: { ...body, show: 'all' } });
  const request = await ask({ title: 'Your pictures of the hike' });
  const locked = await ask({ title: 'Only for the team', access_password: 'demo' });
  const invite = await owner.call(createInvite, { body: { note: 'To look at the page' } });
  const key = (name: string) => items.find((image) => image.name.startsWith(name))?.key;
  const shared = (name: string) => new URL(albums.find((album) => album.name === name)?.share_url ?? '/').pathname;
  const own = (name: string, path: string): DemoPage => ({ name, path });
  const open = (name: string, path: string): DemoPage => ({ name, path, isPublic: true });
  return [
    own('gallery', '/'),
    own('gallery-without-results', '/?q=nothing'),
    own('viewer', `/?picture=${key('Summit 2')}`),
    own('viewer-portrait', `/?picture=${key('Summit 4')}`),
    own('editor', `/?picture=${key('Customers in November')}&edit=true`),
    own('albums', '/albums'),
    own('album', `/albums/${albums[0]?.id}`),
    own('sent-to-me', '/sent'),
    own('sent-by-me', '/sent?box=out'),
    own('trash', '/trash'),
    own('uploads', '/uploads'),
    own('folders', '/folders'),
    ...SETTINGS.map((page) => own(`settings-${page}`, `/settings/${page}`)),
    ...sections.map((section) => own(`admin-${section}`, `/admin/${section}`)),
    own('connect', '/connect'),
    own('not-found', '/nowhere'),
    open('public-sign-in', '/sign-in'),
    open('public-register', `/register?invite=${invite.code}`),
    open('public-register-without-invite', '/register'),
    open('public-share', `/s/${key('Summit 2')}`),
    open('public-share-portrait', `/s/${key('Summit 4')}`),
    open('public-share-locked', `/s/${key('Protected')}`),
    open('public-share-view-limit', `/s/${key('Three views')}`),
    open('public-share-unknown', '/s/abcdefghijkl'),
    open('public-album', shared('Mountains')),
    open('public-album-locked', shared('Boathouse')),
    open('public-album-unknown', '/a/abcdefghij'),
    open('public-request', `/r/${request.id}`),
    open('public-request-locked', `/r/${locked.id}`),
    open('public-request-unknown', '/r/abcdefghijklmnopqrstuv'),
    open('public-phone', '/phone#code=shown-on-a-computer'),
    open('public-phone-without-code', '/phone'),
    open('public-guest-upload', '/upload'),
    open('public-delete-unknown', '/delete/abcdefghijkl/abcdefghijklmnop'),
    open('public-picture-unknown', '/i/abcdefghijkl.png'),
    open('public-api', '/docs/api'),
  ];
}
