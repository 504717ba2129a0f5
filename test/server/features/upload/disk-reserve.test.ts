import { readdirSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();

const staged = () => readdirSync(join(service.dataDir, 'tmp'));

/** Begins an upload without a Content-Length. */
function beginUpload(token: string): { sending: ClientRequest; response: Promise<[number | undefined, string]> } {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=X', 'transfer-encoding': 'chunked' };
  const sending = request(`${service.url}/api/v1/upload`, { method: 'POST', headers });
  const response = new Promise<[number | undefined, string]>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (incoming) => {
      const { data } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
      resolve([incoming.statusCode, data.code]);
    });
  });
  sending.write('--X\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  return { sending, response };
}

it('applies to uploads without a Content-Length, too', async () => {
  const bytes = await png({ width: 600, height: 400 });
  const { sending, response } = beginUpload(await owner.token('upload'));
  sending.write(bytes.subarray(0, 1000));
  await expect.poll(staged).not.toEqual([]);
  await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: Number.MAX_SAFE_INTEGER } });
  sending.end(Buffer.concat([bytes.subarray(1000), Buffer.from('\r\n--X--\r\n')]));
  expect(await response).toEqual([507, 'storage_full']);
  await expect.poll(staged).toEqual([]);
});

it('makes no room for an upload that the rate limit rejects', async () => {
  const token = await owner.token('upload');
  const upload = async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await png({ width: 20, height: 20 }))]), 'a.png');
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${service.url}/api/v1/upload`, { method: 'POST', headers, body: form })).status;
  };
  await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: Number.MAX_SAFE_INTEGER } });
  await owner.client.call(changeGroup, { params: { id: '1' }, body: { uploads_per_minute: 1 } });
  expect([await upload(), await upload()]).toEqual([507, 429]);
});
