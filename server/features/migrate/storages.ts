import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '#server/platform/config/config.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { Place } from '#server/platform/db/location.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import type { StorageDriver } from '#server/platform/storage/driver.ts';
import { claimBucket, createDrivers, folderOf } from '#server/platform/storage/drivers.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { isWithin, preparePolicyFolder, realPathOf } from '#server/platform/storage/local-folder.ts';
import type { S3Access } from '#server/platform/storage/s3/settings.ts';
import type { State } from './state.ts';

/** Where pictures go: they stay, the local ones go to a bucket, or those in buckets go to the target's data folder or to another folder. */
export type Destination = 'unchanged' | 'data-folder' | { folder: string } | S3Access;

/** The same text for the same destination, without secrets. */
export function describeDestination(to: Destination): string {
  if (typeof to === 'string') return to;
  return 'folder' in to ? to.folder : `${to.endpoint}/${to.bucket}/${to.prefix}`;
}

type Settings = Pick<PolicyRow, 'driver' | 'config'>;

/** The settings of each policy in the target, by its id. */
export type Storages = ReadonlyMap<number, Settings>;

interface Plan {
  source: Database;
  target: Database;
  destination: Destination;
  state: State;
  secrets: Secrets;
  from: Place;
  to: Place;
}

/**
 * Decides what policies become in the target. Those that move each get a place of their own in the bucket or folder, named by their ids.
 * @throws RequestError when the bucket or folder can't be used; ConfigError
 */
export async function planStorages(plan: Plan): Promise<Storages> {
  const policies = await plan.source.read.selectFrom('policies').selectAll().orderBy('id').execute();
  const present = await plan.target.read.selectFrom('policies').selectAll().execute();
  if (plan.destination === 'data-folder') requireOne(policies);
  const planned = new Map<number, Settings>();
  for (const policy of policies) {
    const known = present.find(({ id }) => id === policy.id);
    const isClaimed = known?.driver === 's3' && policy.driver === 'local';
    const settings = known && !isClaimed ? known : await settingsOf(policy, policies, plan);
    planned.set(policy.id, settings);
    // The access key may be another one than that of the interrupted attempt.
    if (isClaimed)
      await plan.target
        .as('start')
        .write((queries) => queries.updateTable('policies').set({ config: settings.config }).where('id', '=', policy.id).execute());
  }
  return planned;
}

async function settingsOf(policy: PolicyRow, policies: PolicyRow[], { destination, state, secrets, from, to }: Plan): Promise<Settings> {
  const isLocal = policy.driver === 'local';
  if (typeof destination === 'string' || 'folder' in destination) {
    if (isLocal) return await followDataFolder(policy, from, to);
    if (destination === 'unchanged') return policy;
    if (destination === 'data-folder') return { driver: 'local', config: '{}' };
    const used = policies.map((other) => folderOf(other)).filter((folder) => folder !== undefined);
    const dataFolders = await Promise.all([from, to].map(({ dataDir }) => realPathOf(dataDir)));
    const folder = await preparePolicyFolder(join(destination.folder, String(policy.id)), [...dataFolders, ...used]);
    return { driver: 'local', config: JSON.stringify({ folder }) };
  }
  if (!isLocal) return policy;
  const prefix = destination.prefix === '' ? String(policy.id) : `${destination.prefix}/${policy.id}`;
  return { driver: 's3', config: await claimBucket({ ...destination, prefix }, `${state.id}-${policy.id}`, secrets) };
}

/** A restored backup has folders of policies inside the data folder. They move with it, since the former data folder may be removed. */
async function followDataFolder(policy: PolicyRow, from: Place, to: Place): Promise<Settings> {
  const folder = folderOf(policy);
  const [before, after] = await Promise.all([realPathOf(from.dataDir), realPathOf(to.dataDir)]);
  if (folder === undefined || before === after || !isWithin(await realPathOf(folder), before)) return policy;
  const moved = join(to.dataDir, 'policies', String(policy.id));
  await mkdir(moved, { recursive: true, mode: 0o700 });
  return { driver: 'local', config: JSON.stringify({ folder: moved }) };
}

/** Two policies can't share a folder. */
function requireOne(policies: PolicyRow[]) {
  if (policies.filter((policy) => policy.driver !== 'local' || folderOf(policy) === undefined).length > 1)
    throw new ConfigError('Several storage policies would use the data folder. Specify another folder for the pictures in buckets.');
}

/** The storages of one policy before and after, where they differ. */
export interface Move {
  from: StorageDriver;
  to: StorageDriver;
}

/** Opens the storages of all policies whose files move; the caller closes both. */
export async function openMoves(
  source: Database,
  storages: Storages,
  places: { from: Place; to: Place },
  secrets: Secrets,
): Promise<Map<number, Move>> {
  const open = ({ dataDir }: Place) =>
    createDrivers({ dataDir, secrets, reader: createFileReader(1), hasRoom: async () => false, warn: () => undefined }).open;
  const [openFrom, openTo] = [open(places.from), open(places.to)];
  const moves = new Map<number, Move>();
  for (const policy of await source.read.selectFrom('policies').selectAll().execute()) {
    const from = openFrom(policy);
    const to = openTo({ id: policy.id, ...(storages.get(policy.id) as Settings) });
    if (join(from.location) === join(to.location)) await Promise.all([from.close(), to.close()]);
    else moves.set(policy.id, { from, to });
  }
  return moves;
}
