import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import * as api from '#api/admin/settings.ts';
import { getConfig } from '#api/config.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

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
      base_url: null,
      registration_mode: 'closed',
      two_factor_required: 'nobody',
      guest_upload_enabled: false,
      custom_addresses_enabled: true,
      fetch_allowed_hosts: [],
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
    ['site_name', 'x'.repeat(101)],
    ['base_url', 'https://pics.example.org/folder'],
    ['base_url', 'https://pics.example.org/?a=1'],
    ['base_url', 'ftp://pics.example.org'],
    ['base_url', 'https://user:secret@pics.example.org'],
    ['base_url', 'pics.example.org'],
    ['registration_mode', 'sometimes'],
    ['guest_upload_enabled', 'yes'],
    ['fetch_allowed_hosts', ['http://nas.local/']],
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
