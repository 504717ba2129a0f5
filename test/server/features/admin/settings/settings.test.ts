import { request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import * as api from '#api/admin/settings.ts';
import { deleteLogo, putLogo } from '#api/branding.ts';
import { getConfig } from '#api/config.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { blackPng } from '#test/helpers/pictures/bombs.ts';
import { svg } from '#test/helpers/pictures/drawings.ts';
import { animatedWebp, gif, PRIVATE_WORDS, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

/** The pages as they are before the build. */
const webRoot = join(import.meta.dirname, '../../../../../renderer');
const { service, owner } = await startFileService({ webRoot });

type Changes = Parameters<typeof owner.client.call<typeof api.changeAdminSettings>>[1]['body'];
const change = (body: Changes) => owner.client.call(api.changeAdminSettings, { body });

/** The status of a request with another Host header. */
function statusUnder(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${service.url}/healthz`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('settings', () => {
  it('have safe defaults', async () => {
    expect(await owner.client.call(api.getAdminSettings, {})).toEqual({
      site_name: 'Pixdock',
      accent_color: null,
      logo: null,
      base_url: null,
      registration_mode: 'closed',
      two_factor_required: 'nobody',
      guest_upload_enabled: false,
      custom_addresses_enabled: true,
      request_links_enabled: true,
      team_directory: true,
      ocr_enabled: false,
      ocr_languages: ['en', 'zh'],
      fetch_allowed_hosts: [],
      cors_origins: [],
      hotlink_sites: null,
      count_referrers: true,
      disk_reserve_bytes: null,
      link_address: service.url,
      base_url_fixed: false,
    });
  });

  it('change one by one, take effect at once, and survive a restart', async () => {
    await change({ site_name: 'Our pictures' });
    await change({ registration_mode: 'invite', fetch_allowed_hosts: ['nas.local', '10.1.0.0/16'] });
    expect(await owner.client.call(getConfig, {})).toMatchObject({ site_name: 'Our pictures', registration_mode: 'invite' });
    await service.restart();
    expect(await owner.client.call(api.getAdminSettings, {})).toMatchObject({
      site_name: 'Our pictures',
      registration_mode: 'invite',
      fetch_allowed_hosts: ['nas.local', '10.1.0.0/16'],
    });
  });

  it.each([
    ['site_name', ''],
    ['accent_color', 'red'],
    ['accent_color', '#12345'],
    ['accent_color', '#125d69;}body{display:none}'],
    ['site_name', 'x'.repeat(101)],
    ['base_url', 'https://pics.example.org/folder'],
    ['base_url', 'https://pics.example.org/?a=1'],
    ['base_url', 'ftp://pics.example.org'],
    ['base_url', 'https://user:secret@pics.example.org'],
    ['base_url', 'pics.example.org'],
    ['base_url', 'https://*.example.org'],
    ['registration_mode', 'sometimes'],
    ['guest_upload_enabled', 'yes'],
    ['fetch_allowed_hosts', ['http://nas.local/']],
    ['cors_origins', ['*']],
    ['cors_origins', ['null']],
    ['cors_origins', ['https://app.example.org/path']],
    ['cors_origins', ['ftp://app.example.org']],
    ['cors_origins', ['https://*']],
    ['cors_origins', ['https://*example.org']],
    ['cors_origins', ['https://app.*.org']],
    ['cors_origins', ['https://*.*.example.org']],
    ['cors_origins', ['https://*.10.0.0.1']],
    ['cors_origins', ['https://*.example.org/path']],
    ['cors_origins', ['*.example.org']],
    ['fetch_allowed_hosts', ['*.example.org']],
    ['hotlink_sites', ['*.10.0.0.1']],
    ['hotlink_sites', ['a.*.org']],
    ['hotlink_sites', ['https://example.org']],
    ['hotlink_sites', ['*']],
    ['hotlink_sites', ['example.org/path']],
    ['disk_reserve_bytes', -1],
  ])('refuse and name %s: %j', async (field, value) => {
    const response = await owner.fetch('/api/v1/admin/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [field]: value }),
    });
    const { data } = (await response.json()) as { data: { code: string; field: string } };
    expect([response.status, data.code, data.field.split('.')[0]]).toEqual([400, 'invalid_request', field]);
  });

  it('are stored in the form in which they are compared', async () => {
    expect(
      await change({
        base_url: 'HTTPS://Pics.Example.org.:443/',
        cors_origins: ['https://APP.example.org/', 'https://app.example.org.', 'HTTPS://*.Example.org:443', 'http://*.例子.测试:8080'],
        hotlink_sites: ['Blog.Example.org.', '*.例子.测试', '[2001:DB8::1]'],
      }),
    ).toMatchObject({
      base_url: 'https://pics.example.org',
      cors_origins: ['https://app.example.org', 'https://*.example.org', 'http://*.xn--fsqu00a.xn--0zwm56d:8080'],
      hotlink_sites: ['blog.example.org', '*.xn--fsqu00a.xn--0zwm56d', '2001:db8::1'],
    });
    await change({ base_url: null, cors_origins: [], hotlink_sites: null });
    await expect(change({ base_url: 'https://*.example.org' })).rejects.toThrow('can’t contain “*”');
  });

  it('record old and new values in the audit log, and nothing without a change', async () => {
    await change({ site_name: 'Before' });
    await change({ site_name: 'After' });
    await change({ site_name: 'After' });
    const { items } = await owner.client.call(listAudit, { query: { action: 'settings.changed', limit: 2 } });
    expect(items.map(({ target, details }) => [target, details])).toEqual([
      ['site_name', { site_name: { from: 'Before', to: 'After' } }],
      ['site_name', { site_name: { from: expect.any(String), to: 'Before' } }],
    ]);
  });
});

describe('the looks of the site', () => {
  const setLogo = (file: Buffer, who = owner, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(file)]), 'logo');
    return who.client.send(putLogo, form);
  };
  const pageOf = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } });
    return { html: await response.text(), etag: response.headers.get('etag') };
  };
  const brandIn = (html: string) =>
    JSON.parse(/name="pixdock-brand" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '{}') as object;

  it('are in every page as it is sent, which therefore never shows the default first', async () => {
    await change({ site_name: 'Müller & <Söhne>' });
    const before = await pageOf('/sign-in');
    expect(before.html).not.toContain('<style');
    expect(await change({ accent_color: ' #E11D48 ' })).toMatchObject({ accent_color: '#e11d48' });
    for (const path of ['/sign-in', '/upload', '/s/aaaaaaaaaaaa', '/a/aaaaaaaaaa', '/delete/aaaaaaaaaaaa/x']) {
      const { html } = await pageOf(path);
      expect(html, path).toContain('<title>Müller &amp; &lt;Söhne&gt;</title>');
      expect(html, path).toContain('--pd-accent:#da0d42');
      expect(html.indexOf('--pd-accent'), path).toBeLessThan(html.indexOf('</head>'));
    }
    expect((await pageOf('/sign-in')).etag).not.toBe(before.etag);
    const manifest = await (await fetch(`${service.url}/manifest.webmanifest`)).json();
    expect(manifest).toMatchObject({ name: 'Müller & <Söhne>', theme_color: '#da0d42', icons: [{ src: '/icons/192.png' }, {}, {}] });
    await change({ accent_color: null, site_name: 'Pixdock' });
    expect(await pageOf('/sign-in')).toMatchObject({ html: expect.not.stringMatching(/<style|pixdock-brand/) });
  });

  it('include a logo, encoded again without metadata, which survives a restart and can be removed', async () => {
    const { logo } = await setLogo(await photoJpeg({ width: 900, height: 450, seed: 3 }));
    expect(logo).toMatchObject({ width: 512, height: 256, plate: [] });
    const url = `${service.url}${logo?.url}`;
    const response = await fetch(url);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('image/webp');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 });
    for (const word of PRIVATE_WORDS) expect(bytes.includes(word)).toBe(false);
    expect((await fetch(url, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })).status).toBe(304);
    // The address of an earlier logo leads to this one, but isn't kept.
    expect((await fetch(`${service.url}/api/v1/branding/logo?v=old`)).headers.get('cache-control')).toBe('public, no-cache');

    for (const [name, side] of [['icon', 64] as const, ['tile', 192] as const]) {
      const icon = await contentOf(fetch(`${service.url}/api/v1/branding/${name}`));
      expect(await sharp(icon).metadata()).toMatchObject({ format: 'png', width: side, height: side, hasAlpha: name === 'icon' });
    }
    expect((await (await fetch(`${service.url}/manifest.webmanifest`)).json()).icons).toMatchObject([{ sizes: '192x192' }]);
    await service.restart();
    expect(await owner.client.call(getConfig, {})).toMatchObject({ logo });
    expect(brandIn((await pageOf('/sign-in')).html)).toMatchObject({ logo });
    expect((await fetch(`${service.url}${logo?.url}`)).status).toBe(200);

    expect(await owner.client.call(deleteLogo, {})).toMatchObject({ logo: null });
    expect((await fetch(url)).status).toBe(404);
    const { items } = await owner.client.call(listAudit, { query: { limit: 2 } });
    expect(items.map(({ action }) => action)).toEqual(['settings.logo_removed', 'settings.logo_changed']);
  });

  it('change together or not at all', async () => {
    const looks = async () => {
      const { accent_color, logo } = await owner.client.call(getConfig, {});
      return { accent_color, logo };
    };
    const both = await setLogo(await png({ seed: 5 }), owner, { accent_color: ' #FFD400 ' });
    expect(both).toEqual({ accent_color: '#ffd400', logo: expect.objectContaining({ width: expect.any(Number) }) });
    expect(await looks()).toEqual(both);
    await expect(setLogo(await gif(), owner, { accent_color: '#112233' })).rejects.toMatchObject({ code: 'ext_not_allowed' });
    await expect(setLogo(await photoJpeg(), owner, { accent_color: 'red' })).rejects.toMatchObject({ details: { field: 'accent_color' } });
    await expect(
      owner.client.call(api.changeAdminSettings, { body: { logo: null, accent_color: 'red' } as Changes }),
    ).rejects.toMatchObject({ details: { field: 'accent_color' } });
    expect(await looks()).toEqual(both);

    const { accent_color, logo } = await change({ logo: null, accent_color: '#112233' });
    expect({ accent_color, logo }).toEqual({ accent_color: '#112233', logo: null });
    expect((await fetch(`${service.url}/api/v1/branding/logo`)).status).toBe(404);
    expect(await setLogo(await png(), owner, { accent_color: '' })).toMatchObject({ accent_color: null });
    await change({ logo: null });
    await change({ logo: null });
    const { items } = await owner.client.call(listAudit, { query: { limit: 7 } });
    expect(items.map(({ action }) => action)).toEqual([
      'settings.logo_removed',
      'settings.changed',
      'settings.logo_changed',
      'settings.changed',
      'settings.logo_removed',
      'settings.changed',
      'settings.logo_changed',
    ]);
  });

  it('include a drawing as it is, which runs nothing', async () => {
    const drawing = svg(
      '<script>alert(1)</script><rect width="100" height="50" fill="#000"/>',
      'width="200" height="100" onload="alert(1)"',
    );
    const { logo } = await setLogo(drawing);
    // Black on transparency can't be seen on a dark page.
    expect(logo).toMatchObject({ width: 512, height: 256, plate: ['dark'] });
    const response = await fetch(`${service.url}${logo?.url}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(drawing);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('include a white logo on a dark tile', async () => {
    const { logo } = await setLogo(svg('<rect width="100" height="50" fill="#fff"/>'));
    expect(logo).toMatchObject({ plate: ['light'] });
    const tile = await contentOf(fetch(`${service.url}/api/v1/branding/tile`));
    expect([...(await sharp(tile).raw().toBuffer()).subarray(0, 3)]).toEqual([0x1d, 0x26, 0x28]);
  });

  it.each([
    ['a side of 20,000 pixels', () => blackPng(20_000, 10), { code: 'image_too_large' }],
    [
      'a text',
      async () => Buffer.from('not a picture'),
      { code: 'ext_not_allowed', details: { allowed_exts: ['jpeg', 'png', 'webp', 'svg'] } },
    ],
    ['an animation', () => animatedWebp(), { code: 'invalid_request', details: { problem: 'animated' } }],
    ['a GIF', () => gif(), { code: 'ext_not_allowed' }],
    ['half a picture', async () => (await png()).subarray(0, 900), { code: 'damaged_image' }],
    ['a large drawing', async () => svg(`<!--${'x'.repeat(300_000)}-->`), { code: 'file_too_large', details: { max_bytes: 256 * 1024 } }],
    ['a file of 6 MB', async () => Buffer.alloc(6 * 1024 * 1024), { code: 'file_too_large' }],
    ['nothing', async () => Buffer.alloc(0), { code: 'damaged_image' }],
  ])('refuse %s, and keep the logo', async (_what, make, refusal) => {
    const { logo } = await owner.client.call(getConfig, {});
    await expect(setLogo(await make())).rejects.toMatchObject(refusal);
    expect((await owner.client.call(getConfig, {})).logo).toEqual(logo);
  });
});

describe('the base URL', () => {
  it('starts every link; the service still responds under former names', async () => {
    expect(await statusUnder('old.example.org')).toBe(421);
    await change({ base_url: 'https://OLD.example.org/' });
    const image = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }));
    expect(image.links.url).toBe(`https://old.example.org/i/${image.key}.jpg`);
    expect(await statusUnder('old.example.org')).toBe(200);

    expect(await change({ base_url: 'https://new.example.org' })).toMatchObject({ link_address: 'https://new.example.org' });
    expect(await statusUnder('new.example.org')).toBe(200);
    expect(await statusUnder('old.example.org')).toBe(200);
    expect(await statusUnder('foreign.example.org')).toBe(421);

    expect(await change({ base_url: null })).toMatchObject({ base_url: null, link_address: service.url });
    expect(await statusUnder('new.example.org')).toBe(200);
  });
});
