import { changeGroup } from '#api/admin/groups.ts';
import { listPolicies } from '#api/admin/policies.ts';
import { runCleanUp } from '#api/admin/system.ts';
import { batchImages } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { runObjectStore } from '#test/helpers/service/stores/run-object-store.ts';

test.use({ ownService: true });

test('an admin tests and adds a bucket, uploads to it, moves pictures there, and deletes it when it is gone', async ({
  page,
  service,
  owner,
  complaints,
}) => {
  await using store = await runObjectStore();
  const token = await owner.token('upload');
  for (const seed of [1, 2]) await uploadImage(service, token, await photoJpeg({ seed }), {}, `${seed}.jpg`);
  await page.goto('/admin/policies');

  await page.getByRole('button', { name: 'Create policy' }).click();
  const form = page.getByRole('dialog', { name: 'Create policy' });
  await form.getByLabel('Name', { exact: true }).fill('Bucket');
  await form.getByText('An S3 bucket').click();
  const { endpoint, bucket, prefix, access_key_id, secret_access_key } = store.access;
  await form.getByLabel('Endpoint').fill(endpoint);
  await form.getByLabel('Bucket', { exact: true }).fill(bucket);
  await form.getByLabel('Prefix').fill(prefix);
  await form.getByLabel('Access key ID').fill(access_key_id);
  const secret = form.getByLabel('Secret access key', { exact: true });
  await secret.fill(secret_access_key);
  const testing = form.getByRole('button', { name: 'Test connection' });
  await testing.click();
  await expect(form.getByRole('status')).toContainText('The connection works');
  await secret.fill('mistyped');
  await testing.click();
  await expect(form.getByText('The secret access key is wrong.')).toBeVisible();
  await expect(form.getByRole('status')).toHaveCount(0);
  expect(await audit(page)).toEqual([]);
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  await secret.fill(secret_access_key);
  await form.getByRole('button', { name: 'Create policy' }).click();
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Bucket/ }) });
  await expect(row).toContainText(`${endpoint}/${bucket}/${prefix}`);

  const [given, added] = (await owner.client.call(listPolicies, { query: {} })).items;
  const useFor = (id: number | undefined) => owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [Number(id)] } });
  await useFor(added?.id);
  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  await expect(tiles(page)).toHaveCount(2);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await (await chooser).setFiles([{ name: '3.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg({ seed: 3 }) }]);
  await expect(tiles(page)).toHaveCount(3);
  await page.goBack();
  await expect(row).toContainText('1 picture');

  // The second file waits for the object store.
  const stored = new Set<string>();
  store.intercept(({ method, url = '' }, response) => {
    if (method !== 'PUT') return false;
    stored.add(url.slice(0, url.indexOf('?')));
    if (stored.size < 2) return false;
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    return true;
  });
  await page.getByRole('button', { name: 'Move pictures from This computer' }).click();
  const move = page.getByRole('dialog', { name: 'Move pictures from This computer' });
  await expect(move.getByLabel('Move to')).toHaveValue('Bucket');
  await move.getByRole('button', { name: 'Move pictures' }).click();
  await expect(page.getByRole('progressbar', { name: 'Moving to Bucket: 1 of 2 files' })).toBeVisible();
  await expect(page.getByText('The move has stalled')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  store.intercept(undefined);
  await expect(row).toContainText('3 pictures');
  await expect(page.getByRole('progressbar')).toHaveCount(0);

  await useFor(given?.id);
  store.fail(503, 'SlowDown');
  const { items } = await owner.client.call(listImages, { query: {} });
  await owner.client.call(batchImages, { body: { action: 'trash', keys: items.map(({ key }) => key) } });
  await expect(owner.client.call(runCleanUp, { body: { what: 'trash' } })).rejects.toMatchObject({ code: 'unavailable' });
  await page.getByRole('button', { name: 'Delete Bucket' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete “Bucket”?' });
  await deletion.getByRole('button', { name: 'Delete' }).click();
  await expect(deletion.getByRole('alert')).toContainText(/^Some files can’t be deleted yet3 files of deleted pictures \([\d.]+ KB\)/);
  expect(await audit(page)).toEqual([]);
  await deletion.getByLabel('Leave these files in storage').check();
  await deletion.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
  expect(complaints.splice(0)).toEqual([expect.stringContaining('503')]);
});
