import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { type Image, listImages } from '#api/images/images.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { type SignedIn, setUp } from '#test/helpers/service/service.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Ended, Load } from './cluster-load.ts';
import { Random } from './random.ts';

/** How long the load continues undisturbed after each fault. */
const CALM_MS = 8_000;
/** Once the cause of a fault is gone, no request may fail any more after this time. */
const RECOVERY_MS = 5_000;
/** The largest number of items in a page of a list. */
const PAGE = 100;

interface Fault {
  name: string;
  /** Requests to the other service succeed all the time. */
  isHarmless?: boolean;
  begin(): unknown;
  lastsMs: number;
  end(): unknown;
}

function faultsOf({ nodes: [one, two], postgres, store }: Cluster): Fault[] {
  return [
    { name: 'kill of the first node', isHarmless: true, begin: () => one.kill(), lastsMs: 1_000, end: () => one.startAgain() },
    { name: 'restart of PostgreSQL', begin: () => postgres.stop(), lastsMs: 2_000, end: () => postgres.start() },
    { name: 'restart of PostgreSQL, immediate', begin: () => postgres.stop('SIGQUIT'), lastsMs: 0, end: () => postgres.start() },
    { name: 'kill of the second node', isHarmless: true, begin: () => two.kill(), lastsMs: 1_000, end: () => two.startAgain() },
    { name: 'object store halted', begin: () => store.halt(), lastsMs: 32_000, end: () => store.resume() },
    { name: 'object store refuses connections', begin: () => store.refuse(), lastsMs: 10_000, end: () => store.listen() },
  ];
}

const cluster = await startCluster();
afterAll(() => cluster.remove());

/** Makes the object store the place of all pictures. */
async function setUpCluster(): Promise<SignedIn> {
  const owner = await setUp(cluster.nodes[0]);
  const { id } = await owner.client.call(createPolicy, { body: { name: 'Bucket', driver: 's3', config: cluster.store.access } });
  const unlimited = { uploads_per_minute: 0, uploads_per_hour: 0, uploads_per_day: 0 };
  await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id], ...unlimited } });
  return owner;
}

async function allImages({ client }: SignedIn): Promise<Image[]> {
  const images: Image[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.call(listImages, { query: { limit: String(PAGE), ...(cursor && { cursor }) } });
    images.push(...page.items);
    cursor = page.next_cursor;
  }
  return images;
}

/** Begins and ends a fault under load; returns its figures. */
async function undergo(fault: Fault, load: Load) {
  const from = performance.now();
  await fault.begin();
  await wait(fault.lastsMs);
  await fault.end();
  const endedAt = performance.now();
  await wait(CALM_MS);
  const ended = load.ended.filter(({ startedAt }) => startedAt >= from);
  const failed = ended.filter(({ outcome }) => outcome !== 'done');
  const count = (outcome: Ended['outcome']) => ended.filter((one) => one.outcome === outcome).length;
  return {
    fault: fault.name,
    requests: ended.length,
    '503': count('503'),
    'no connection': count('no connection'),
    slowest: Math.round(Math.max(...ended.map(({ took }) => took))),
    lasted: Math.round(endedAt - from),
    recovered: Math.round(Math.max(0, ...failed.map(({ startedAt }) => startedAt - endedAt))),
  };
}

it('loses and duplicates no upload while services, the database and the object store fail', { timeout: 400_000 }, async () => {
  const owner = await setUpCluster();
  const load = new Load(cluster.nodes, await owner.token('full'), new Random('cluster'));
  load.start();
  await wait(CALM_MS);
  expect(load.ended.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  const rows: Awaited<ReturnType<typeof undergo>>[] = [];
  for (const fault of faultsOf(cluster)) {
    const row = await undergo(fault, load);
    rows.push(row);
    if (fault.isHarmless) expect.soft(row['503'], fault.name).toBe(0);
  }
  await load.stop(30_000);
  console.table(rows);
  const { acknowledged, ended } = load;
  const refused = Object.entries(Object.groupBy(ended, ({ what, outcome }) => `${what} ${outcome}`)).map(
    ([kind, list]) => `${kind}: ${list?.length}`,
  );
  console.log(`${ended.length} requests, ${acknowledged.length} acknowledged uploads; ${refused.sort().join(', ')}`);

  expect(load.faults).toEqual([]);
  for (const { fault, recovered } of rows) expect(recovered, fault).toBeLessThan(RECOVERY_MS);
  // Neither lost nor duplicated, and as they were last changed.
  const images = await allImages(owner);
  expect(images.map(({ key }) => key).sort()).toEqual(acknowledged.map(({ key }) => key).sort());
  const listed = new Map(images.map((image) => [image.key, image]));
  for (const { key, titles } of acknowledged) expect([...titles]).toContain(listed.get(key)?.title);
  for (const picture of acknowledged.slice(0, 20)) expect(await load.repeat(picture)).toBe(`${picture.key} true`);
  for (const node of cluster.nodes)
    for (const { key, ext, sha256 } of acknowledged) expect(await load.hashAt(node, `/i/${key}.${ext}`)).toBe(sha256);

  const home = temporaryFolder();
  for (const node of cluster.nodes) expect(await node.stop()).toBe(0);
  for (const { dataDir } of cluster.nodes) {
    const { code, stdout, stderr } = await runBuiltCli(home, ['verify', '--data-dir', dataDir], { env: cluster.env });
    expect([code, stdout], stderr).toEqual([0, '']);
  }
});
