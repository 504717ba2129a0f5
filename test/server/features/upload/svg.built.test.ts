import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { changePolicy } from '#api/admin/policies.ts';
import { getConfig } from '#api/config.ts';
import { BILLION_LAUGHS, svg, usesOfUses } from '#test/helpers/pictures/drawings.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { type Reachable, type SignedIn, setUp, uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bob = await addUser(service, 'bob');
const [owners, bobs] = [await owner.token('upload'), await bob.token('upload')];

/** Sets the formats that a group can upload. */
async function allow(admin: SignedIn, kind: 'owner' | 'default' | 'guest', allowed_exts: ('png' | 'svg')[]) {
  const { items } = await admin.client.call(listGroups, { query: {} });
  const id = String(items.find((group) => group.kind === kind)?.id);
  return admin.client.call(changeGroup, { params: { id }, body: { allowed_exts } });
}

async function thumbnailOf(at: Reachable, key: string) {
  const response = await fetch(`${at.url}/t/${key}.jpg`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  return sharp(await response.arrayBuffer()).metadata();
}

const files = (folder: string) =>
  readdirSync(join(service.dataDir, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

const DRAWING = svg('<script>alert(1)</script><rect width="1000" height="500" fill="#d02020"/>', 'width="1000" height="500"');

describe('SVG', () => {
  it('is refused until an administrator allows it; the error lists the allowed formats', async () => {
    expect((await owner.client.call(getConfig, {})).allowed_exts).not.toContain('svg');
    for (const token of [owners, bobs])
      await expect(uploadImage(service, token, DRAWING)).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed' });
  });

  it('is accepted from groups that allow it, never from guests', async () => {
    await allow(owner, 'owner', ['png', 'svg']);
    expect((await owner.client.call(getConfig, {})).allowed_exts).not.toContain('svg');
    await expect(uploadImage(service, bobs, DRAWING)).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed' });
    await allow(owner, 'default', ['png', 'svg']);
    expect(await owner.client.call(getConfig, {})).toMatchObject({ allowed_exts: ['png', 'svg'] });
    expect((await uploadImage(service, bobs, DRAWING)).ext).toBe('svg');
    await expect(allow(owner, 'guest', ['png', 'svg'])).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await owner.client.call(getConfig, {})).guest_limits.allowed_exts).not.toContain('svg');
    await allow(owner, 'guest', ['png']);
  });

  it('is stored unchanged and served so that it cannot run scripts', async () => {
    const image = await uploadImage(service, owners, DRAWING, {}, 'chart.png');
    expect(image).toMatchObject({ ext: 'svg', mime: 'image/svg+xml', width: 1000, height: 500, size: DRAWING.length });
    expect(image.links.url).toMatch(/\.svg$/);
    const response = await fetch(image.links.url);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(DRAWING.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    expect(await thumbnailOf(service, image.key)).toMatchObject({ format: 'jpeg', width: 400, height: 200 });
    expect(await uploadImage(service, owners, DRAWING)).toMatchObject({ key: image.key, reused: true });
  });

  it('is left unchanged by a policy that converts and resizes', async () => {
    const policy = { params: { id: '1' } };
    await owner.client.call(changePolicy, { ...policy, body: { convert_to: 'webp', max_side: 100 } });
    const image = await uploadImage(service, owners, svg('<text>words</text>', 'width="640" height="320"'));
    expect(image).toMatchObject({ ext: 'svg', width: 640, height: 320 });
    await owner.client.call(changePolicy, { ...policy, body: { convert_to: null, max_side: 0 } });
  });

  it.each([
    ['the billion laughs', BILLION_LAUGHS, 400, 'damaged_image'],
    [
      'an entity from a file',
      Buffer.from('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"/>'),
      400,
      'damaged_image',
    ],
    ['references that unfold', svg(usesOfUses(40)), 400, 'damaged_image'],
    ['an element that does not end', svg('<g>'), 400, 'damaged_image'],
    ['UTF-16', Buffer.from(`\ufeff${svg()}`, 'utf16le'), 400, 'damaged_image'],
    ['a huge view box', svg('', 'viewBox="0 0 1000000 1000000"'), 400, 'image_too_large'],
    ['5 MiB and more', svg(' '.repeat(5 * 1024 * 1024)), 400, 'image_too_large'],
    ['compression', gzipSync(svg()), 415, 'ext_not_allowed'],
    ['a page around it', Buffer.from(`<html>${svg()}</html>`), 415, 'ext_not_allowed'],
  ])('with %s is refused and leaves nothing behind', async (_name, bytes, status, code) => {
    const before = files('blobs').length;
    await expect(uploadImage(service, owners, bytes)).rejects.toMatchObject({ status, code });
    expect([files('blobs').length, files('tmp')]).toEqual([before, []]);
  });
});

it('finds its SVG renderer in the built service', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  const built = await startChildService(dataDir);
  try {
    const admin = await setUp(built);
    await allow(admin, 'owner', ['svg']);
    const { key } = await uploadImage(built, await admin.token('upload'), DRAWING);
    expect(await thumbnailOf(built, key)).toMatchObject({ width: 400, height: 200 });
  } finally {
    await built.stop();
    await rm(dataDir, { recursive: true });
  }
});
