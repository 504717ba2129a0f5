import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createImageIndex } from '#server/core/images/image-index.ts';
import { type LibraryChange, onChange, tellImages } from '#server/core/journal/changes.ts';
import { createPolicyStore } from '#server/core/policies/policies.ts';
import { createSettings } from '#server/core/settings/settings-store.ts';
import type { Database } from '#server/platform/db/database.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';

const LOG = pino({ level: 'silent' });

it('finds a picture as another service has changed it', async () => {
  const [here, there] = await twoNodes();
  const index = createImageIndex(here);
  const [key = ''] = await addImageRows(there, null, 1, () => ({ slug: 'sunset' }));
  expect((await index.find(key))?.visibility).toBe('public');
  expect((await index.find('Sunset'))?.key).toBe(key);
  await there.as('job').write((queries) => queries.updateTable('images').set({ visibility: 'private', slug: null }).execute());
  expect((await index.find(key))?.visibility).toBe('private');
  expect(await index.find('sunset')).toBeUndefined();
});

it('follows settings and policies that another service changes', async () => {
  const [here, there] = await twoNodes();
  const [settings, others] = [await createSettings(here, LOG), await createSettings(there, LOG)];
  let reopened = 0;
  const policies = createPolicyStore(here, () => void reopened++);
  const othersPolicies = createPolicyStore(there);
  const { id, name } = await here.read.selectFrom('policies').select(['id', 'name']).executeTakeFirstOrThrow();
  expect((await policies.find(id)).name).toBe(name);

  await others.change('start', { site_name: 'Harbour' });
  await othersPolicies.write('start', (queries) => queries.updateTable('policies').set({ name: 'Renamed' }).where('id', '=', id).execute());

  await expect.poll(() => settings.current().site_name).toBe('Harbour');
  expect((await policies.find(id)).name).toBe('Renamed');
  expect(reopened).toBe(1);
});

it('learns of changes to libraries that either service commits, and of none that fail', async () => {
  const [here, there] = await twoNodes();
  const heard: (LibraryChange | undefined)[] = [];
  onChange(here, (change) => heard.push(change));
  const tell = (db: Database, key: string) =>
    db.as('job').write(async (queries) => tellImages(queries, 'image.created', [{ key, owner_id: 7 }]));
  await tell(there, 'b7Rk2mQx9LpT');
  await tell(here, 'b7Rk2mQx9LpU');
  const failed = here.as('job').write(async (queries) => {
    tellImages(queries, 'image.deleted', [{ key: 'b7Rk2mQx9LpV', owner_id: 7 }]);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  const created = (key: string) => ({ kind: 'image.created', ownerId: 7, keys: [key] });
  expect(heard).toEqual([created('b7Rk2mQx9LpT'), created('b7Rk2mQx9LpU')]);
});
