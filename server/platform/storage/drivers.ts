import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { type BlobRef, nameOf, refOf } from './blob-rows.ts';
import type { StorageDriver } from './driver.ts';
import type { FileReader } from './file-reader.ts';
import { createLocalStorage } from './local.ts';
import { preparePolicyFolder } from './local-folder.ts';
import type { Bucket } from './s3/bucket.ts';
import { createFileCache } from './s3/file-cache.ts';
import { lazyBucket } from './s3/lazy-bucket.ts';
import { MARKER, notEmpty, readMarker, testBucket } from './s3/probe.ts';
import { createS3Storage } from './s3/s3.ts';
import { rootOf, type S3Access, s3Settings } from './s3/settings.ts';

export type OpenDriver = (policy: Pick<PolicyRow, 'id' | 'driver' | 'config'>) => StorageDriver;

/** Where a policy stores its blobs, as admins see it. */
export type StoragePlace =
  | { driver: 'local'; folder: string | null; config: null }
  | { driver: 's3'; folder: null; config: Omit<S3Access, 'secret_access_key'> };

/** Where a new policy will store its blobs. */
export type NewStorage = { driver: 'local'; folder: string } | { driver: 's3'; config: S3Access };

const SECRET_PURPOSE = 'storage';
/** For the copies of all remote blobs together. */
const CACHE_BYTES = 2 * 1024 ** 3;

interface Parts {
  dataDir: string;
  secrets: Pick<Secrets, 'key'>;
  reader: FileReader;
  /** Whether the data folder's disk has room for that many bytes. */
  hasRoom: (bytes: number) => Promise<boolean>;
  /** Is called with faults that only make reading slower. */
  warn: (error: unknown) => void;
}

interface Drivers {
  open: OpenDriver;
  /** Removes copies of remote blobs from the data folder: at least that many bytes, or none if there are fewer. */
  evict(bytes: number): Promise<void>;
  /** Removes the copy of a remote blob. */
  forgetCopy(ref: BlobRef): Promise<void>;
  /** The blobs that have copies. */
  copies(): AsyncIterable<BlobRef>;
}

/** Opens the storages of policies; all remote ones share a cache in the data folder. */
export function createDrivers({ dataDir, secrets, reader, hasRoom, warn }: Parts): Drivers {
  const cache = createFileCache({ folder: join(dataDir, 'cache'), reader, maxBytes: CACHE_BYTES, hasRoom, warn });
  return {
    open: (policy) =>
      policy.driver === 's3'
        ? createS3Storage(policy.id, accessOf(policy, secrets), cache)
        : createLocalStorage(folderOf(policy) ?? join(dataDir, 'blobs'), reader),
    evict: cache.evict,
    forgetCopy: (ref) => cache.forget(nameOf(ref)),
    async *copies() {
      for (const name of await cache.names()) {
        const ref = refOf(name);
        if (ref) yield ref;
      }
    },
  };
}

/** The folder of a local policy; undefined: `blobs/` of the data folder, or none. */
export function folderOf({ config }: Pick<PolicyRow, 'config'>): string | undefined {
  return (JSON.parse(config) as { folder?: string }).folder;
}

export function placeOf({ driver, config }: Pick<PolicyRow, 'driver' | 'config'>): StoragePlace {
  if (driver === 'local') return { driver, folder: folderOf({ config }) ?? null, config: null };
  const { sealed_secret: _secret, marker: _marker, ...settings } = s3Settings.parse(JSON.parse(config));
  return { driver, folder: null, config: settings };
}

function accessOf({ config }: Pick<PolicyRow, 'config'>, secrets: Pick<Secrets, 'key'>): S3Access {
  const { sealed_secret, marker: _, ...settings } = s3Settings.parse(JSON.parse(config));
  // With a `secrets.json` other than the one it was sealed with, the object store refuses the empty secret, which says what to correct.
  return { ...settings, secret_access_key: unseal(secrets.key(SECRET_PURPOSE), sealed_secret) ?? 'unknown' };
}

function toConfig({ secret_access_key, ...settings }: S3Access, marker: string, secrets: Pick<Secrets, 'key'>): string {
  return JSON.stringify({ ...settings, marker, sealed_secret: seal(secrets.key(SECRET_PURPOSE), secret_access_key) });
}

/**
 * Checks and prepares the storage of a new policy, and returns its `config`.
 * @param others the policies that exist
 * @throws RequestError with the field to correct: `invalid_request`, or `storage_unreachable`
 */
export async function prepareStorage(
  storage: NewStorage,
  others: readonly Pick<PolicyRow, 'driver' | 'config'>[],
  { dataDir, secrets }: Pick<Parts, 'dataDir' | 'secrets'>,
): Promise<string> {
  if (storage.driver === 'local') {
    const folders = others.map((policy) => folderOf(policy)).filter((folder) => folder !== undefined);
    return JSON.stringify({ folder: await preparePolicyFolder(storage.folder, [dataDir, ...folders]) });
  }
  requireApart(storage.config, others);
  return claimBucket(storage.config, randomUUID(), secrets);
}

/** Gives up what {@link prepareStorage} has claimed, so that another attempt finds the place free. @param config what it returned */
export async function abandonStorage(storage: NewStorage, config: string): Promise<void> {
  if (storage.driver === 'local') return; // an empty folder can be used again
  const root = rootOf(storage.config);
  const { marker } = s3Settings.parse(JSON.parse(config));
  await withBucket(storage.config, async (bucket) => {
    if ((await readMarker(bucket, root)) === marker) await bucket.delete(`${root}${MARKER}`);
  });
}

/**
 * Checks a bucket and puts a marker there; returns the `config` of its policy.
 * @param marker unguessable; an attempt that was interrupted can be repeated with the same one
 * @throws RequestError `storage_unreachable` with the field to correct
 */
export async function claimBucket(access: S3Access, marker: string, secrets: Pick<Secrets, 'key'>): Promise<string> {
  await withBucket(access, async (bucket) => {
    const root = rootOf(access);
    try {
      await testBucket(bucket, access, undefined);
      // Another service may have claimed the place since.
      if (!(await bucket.create(`${root}${MARKER}`, Buffer.from(marker)))) throw notEmpty(access);
    } catch (error) {
      const isTaken = error instanceof RequestError && error.details.problem === 'storage_not_empty';
      if (isTaken && (await readMarker(bucket, root)) === marker) return;
      throw error;
    }
  });
  return toConfig(access, marker, secrets);
}

/** Checks that a new policy could use a bucket. @throws RequestError `storage_unreachable` */
export function testStorage(access: S3Access): Promise<void> {
  return withBucket(access, (bucket) => testBucket(bucket, access, undefined));
}

async function withBucket(access: S3Access, use: (bucket: Bucket) => Promise<void>): Promise<void> {
  if (!access.path_style && new URL(access.endpoint).pathname !== '/')
    throw new InvalidRequestError('An endpoint with a path needs path-style addresses.', {
      field: 'config.path_style',
      problem: 'needs_path_style',
    });
  const bucket = lazyBucket(access);
  try {
    await use(bucket);
  } finally {
    await bucket.close();
  }
}

/** How a policy's bucket is to be reached from now on; what its blobs are called stays. */
export type StorageChanges = Partial<Omit<S3Access, 'bucket' | 'prefix'>>;

/** Whether changes concern more than what others see. */
const concernsAccess = (changes: StorageChanges) => Object.keys(changes).some((name) => name !== 'public_url');

/**
 * The `config` of a policy with changes.
 * @throws RequestError when the policy has no bucket, or it can't be reached that way
 */
export async function changeStorage(
  policy: Pick<PolicyRow, 'driver' | 'config'>,
  changes: StorageChanges,
  others: readonly Pick<PolicyRow, 'driver' | 'config'>[],
  secrets: Pick<Secrets, 'key'>,
): Promise<string> {
  if (policy.driver !== 's3')
    throw new InvalidRequestError('Only storage policies with a bucket have these settings.', { field: 'config' });
  const access = { ...accessOf(policy, secrets), ...changes };
  const { marker } = s3Settings.parse(JSON.parse(policy.config));
  if (concernsAccess(changes)) {
    requireApart(access, others);
    await withBucket(access, (bucket) => testBucket(bucket, access, marker));
  }
  return toConfig(access, marker, secrets);
}

function requireApart(access: S3Access, others: readonly Pick<PolicyRow, 'driver' | 'config'>[]) {
  for (const other of others.map(placeOf)) if (other.config && overlap(other.config, access)) throw taken();
}

function overlap(one: Pick<S3Access, 'endpoint' | 'bucket' | 'prefix'>, other: Pick<S3Access, 'endpoint' | 'bucket' | 'prefix'>): boolean {
  if (new URL(one.endpoint).host !== new URL(other.endpoint).host || one.bucket !== other.bucket) return false;
  const [first, second] = [one, other].map(rootOf) as [string, string];
  return first.startsWith(second) || second.startsWith(first);
}

const taken = () =>
  new InvalidRequestError('Another storage policy already uses this bucket and prefix. Enter another prefix.', {
    field: 'config.prefix',
    problem: 'storage_taken',
  });
