import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { hostName } from '#api/url-forms.ts';
import { createPasswordGuard } from '#server/core/accounts/password-guard.ts';
import { createPresence } from '#server/core/accounts/presence.ts';
import type { Context } from '#server/core/context.ts';
import { createHeicSupport } from '#server/core/images/heic-support.ts';
import { createImageIndex } from '#server/core/images/image-index.ts';
import { createLinks, type Links } from '#server/core/images/links.ts';
import { createPlaceholders } from '#server/core/images/placeholders.ts';
import { createThumbnails } from '#server/core/images/thumbnails.ts';
import { createPolicyStore } from '#server/core/policies/policies.ts';
import { openSecrets } from '#server/core/settings/instance-secrets.ts';
import { createSettings, type SettingsStore } from '#server/core/settings/settings-store.ts';
import { createUnlocking } from '#server/core/viewing/unlocking.ts';
import { createViews } from '#server/core/viewing/views.ts';
import { setupCodeOf } from '#server/features/accounts/setup.ts';
import { createAlbum } from '#server/features/albums/albums.ts';
import { type Backups, createBackups } from '#server/features/backup/backups.ts';
import { noteFailure } from '#server/features/backup/outcome.ts';
import { reasonOf } from '#server/features/backup/reason.ts';
import type { CheckStart } from '#server/features/backup/restore.ts';
import { failRestore, type Settled, settleRestore } from '#server/features/backup/swap.ts';
import { createStreams, type Streams } from '#server/features/events/streams.ts';
import { createImports, type Imports } from '#server/features/import/imports.ts';
import { createOidcStore, type OidcStore } from '#server/features/sign-on/provider.ts';
import { createTextRecognition, type TextRecognition } from '#server/features/text/recognition.ts';
import { createImporter } from '#server/features/upload/imported.ts';
import { DamagedDatabaseError, DataFolderError, type ServiceConfig } from '#server/platform/config/config.ts';
import { openLog } from '#server/platform/config/log.ts';
import { createOpaque } from '#server/platform/config/opaque.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { lockFile } from '#server/platform/db/files.ts';
import { databaseOf } from '#server/platform/db/location.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { type Protection, protectionInUse } from '#server/platform/imaging/decoder/protection.ts';
import { type Death, decoders, recognizers } from '#server/platform/imaging/decoders.ts';
import { createDecoding, type DecodingQueue } from '#server/platform/imaging/decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import type { Job } from '#server/platform/jobs/scheduler.ts';
import { openLimits, type StoredLimits } from '#server/platform/limits/limits.ts';
import { createMetrics, type Metrics } from '#server/platform/metrics/metrics.ts';
import { createBlobs } from '#server/platform/storage/blobs.ts';
import { createDrivers } from '#server/platform/storage/drivers.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { createDiskReserve, hasSpace } from '#server/platform/storage/reserve.ts';
import { emptyStaging, openStaging } from '#server/platform/storage/staging.ts';
import { checkStartInThread } from './start-check-thread.ts';

/** The context, and what only one feature's routes and jobs need. */
export interface ServiceContext extends Context {
  limits: StoredLimits;
  backups: Backups;
  textRecognition: TextRecognition;
  imports: Imports;
  /** The open streams of events. */
  streams: Streams;
  /** The sign-on provider. */
  oidc: OidcStore;
  /** Checks that the service starts on another data folder. */
  checkStart: CheckStart;
  /** Called with the reason when an automatic backup can't be restored. */
  onBackupFault: ((reason: string) => void) | undefined;
  /** Set once the service is stopping, so that load balancers send requests elsewhere. */
  lifecycle: { stopping: boolean };
  /** The restore that this start has put into place or undone. */
  settled: Settled | undefined;
}

/** Options of the program that starts the service. */
export interface Parts {
  /** Stops the service and starts it again on the same data folder and port. */
  restart?: () => void;
  /** Called with the reason, a sentence, when an automatic backup can't be restored. */
  onBackupFault?: (reason: string) => void;
  /** Replaced in tests of a broken decoder. */
  probeHeic?: () => Promise<boolean>;
  /** Replaced in tests: a thread loads the whole service again. */
  checkStart?: CheckStart;
  /** What WebP and AVIF thumbnails may take on the disk, in bytes. Less in tests and benchmarks. */
  maxOptionalBytes?: number;
  /** Chooses the jobs that run by themselves. Tests leave out those that would change what is being tested. */
  chooseJobs?: (jobs: Job[]) => Job[];
}

/** What a service is opened with. */
interface Opening {
  config: ServiceConfig;
  version: string;
  /** The service's own address, known once it listens. */
  ownAddress(): string;
  parts?: Parts | undefined;
}

/** How decoders are protected, for the log (docs/trust.md). */
const DECODERS_ARE: Record<Protection['name'], string> = {
  bubblewrap: 'decoders run in bubblewrap',
  user: 'decoders run as another user, but can reach the network: install bubblewrap to confine them',
  permissions: 'decoders run with Node’s permission model only, which doesn’t bind native code',
};

/** What becomes of the picture of a decoder that has ended, for the log. */
const AFTER_DEATH: Record<Death['verdict'], string> = {
  again: 'a decoder died, and its picture is decoded once more',
  later: 'a decoder died or got too little processor time, and its picture was refused for now',
  never: 'a decoder died or took too long, and its picture was rejected',
};

/** Two pictures at once on one sharp thread each are faster than one picture on two threads. */
const IMAGES_AT_ONCE = 2;

/**
 * Opens a data folder: lock, secrets, database, storage; cleans up after a crash.
 * @throws ConfigError with a sentence when the folder can't be used
 */
export async function openContext(opening: Opening): Promise<{ context: ServiceContext; close(): Promise<void> }> {
  const { config } = opening;
  const { dataDir } = config;
  const log = openLog(config.logLevel);
  await prepareFolder(dataDir, log);
  const lock = lockFile(join(dataDir, 'pixdock.lock'));
  if (!lock)
    throw new DataFolderError(
      `Another Pixdock service is already using the data folder ${dataDir}. Stop it first, or choose another folder.`,
    );
  try {
    // A restore that was prepared for the database in the folder must not replace the pictures of another one.
    const settled = config.databaseUrl ? undefined : await settleRestore(dataDir);
    const db = await openDatabase(databaseOf(config));
    try {
      const context = await assemble({ ...opening, log, db, settled });
      await context.blobs.recover();
      await emptyStaging(context.staging);
      if (settled?.failure) await noteFailure(context, settled.failure);
      void protectionInUse.then(({ name }) => log.info({ protection: name }, DECODERS_ARE[name]));
      const logDeath = (death: Death) => log.error(death, AFTER_DEATH[death.verdict]);
      const unwatch = [decoders, recognizers].map(({ watch }) => watch(logDeath));
      const stopWatching = () => {
        for (const stop of unwatch) stop();
      };
      return { context, close: () => closeAll(context, lock, stopWatching) };
    } catch (error) {
      await db.close();
      throw error;
    }
  } catch (error) {
    const named = config.databaseUrl ? error : await nameDamage(error, dataDir);
    await failRestore(dataDir, reasonOf(named, dataDir));
    lock.release();
    throw named;
  }
}

/** The same error, or one that says where a damaged database is and what can be done. */
async function nameDamage(error: unknown, dataDir: string): Promise<unknown> {
  if (!(error instanceof Error) || databaseFault(error) !== 'damaged') return error;
  const backups = join(dataDir, 'backups');
  const files = (await ifMissing(readdir(backups), [])).filter((name) => name.endsWith('.tar'));
  return new DamagedDatabaseError({
    dataDir,
    database: databaseOf({ dataDir }),
    backups: files.length > 0 ? backups : undefined,
    cause: error,
  });
}

/** What is open before the context can be assembled. */
interface Opened extends Opening {
  log: Logger;
  db: Database;
  settled: Settled | undefined;
}

async function assemble({ config, version, ownAddress, parts = {}, log, db, settled }: Opened): Promise<ServiceContext> {
  const { dataDir } = config;
  const secrets = await openSecrets(db.as('start'), config);
  const opaque = createOpaque(secrets);
  const settings = await createSettings(db, log);
  const limits = await openLimits(db, secrets, log);
  const oidc = createOidcStore(db, secrets);
  const tmp = join(dataDir, 'tmp');
  const decoding = createDecoding({ atOnce: IMAGES_AT_ONCE, bytes: DEFAULT_IMAGE_LIMITS.memory });
  const metrics = createMetrics();
  watchDecoding(metrics, decoding);
  metrics.gauge('pixdock_write_queue', 'Database changes waiting to be committed', db.queued);
  const reader = createFileReader();
  const warnOfLeftovers = (err: unknown) => log.warn({ err }, 'couldn’t clean up after an upload or a deleted picture');
  const warnOfCopies = (err: unknown) => log.warn({ err }, 'couldn’t keep or remove a copy of a remote picture');
  const reserve = () => settings.current().disk_reserve_bytes;
  const hasRoom = (bytes: number) => hasSpace(dataDir, reserve(), bytes);
  const drivers = createDrivers({ dataDir, secrets, reader, hasRoom, warn: warnOfCopies });
  const diskReserve = createDiskReserve({ configured: reserve, copies: { folder: dataDir, evict: drivers.evict } });
  const staging = openStaging(tmp, (bytes) => diskReserve.require(tmp, bytes));
  const placeholders = createPlaceholders(db, log);
  const blobs = createBlobs({ db, openDriver: drivers.open, staging, warn: warnOfLeftovers });
  blobs.onRemoval(drivers.forgetCopy, drivers.copies);
  const thumbnails = createThumbnails({
    folder: join(dataDir, 'thumbs'),
    staging,
    decoding,
    reader,
    blobs,
    log,
    maxOptionalBytes: parts.maxOptionalBytes,
    onFirst: placeholders.add,
  });
  const imageIndex = createImageIndex(db);
  const configuredBaseUrl = () => config.baseUrl ?? settings.current().base_url ?? undefined;
  const links = createLinks({ configuredBaseUrl, ownAddress, secrets });
  const ownHosts = createOwnHosts(config, links, settings);
  const uncounted = () => (settings.current().count_referrers ? ownHosts() : undefined);
  const presence = createPresence();
  const context = {
    config,
    log,
    db,
    secrets,
    settings,
    metrics,
    limits,
    oidc,
    passwordGuard: createPasswordGuard(limits),
    staging,
    diskReserve,
    blobs,
    policies: createPolicyStore(db, () => blobs.reopen()),
    imageIndex,
    thumbnails,
    placeholders,
    links,
    opaque,
    ownHosts,
    unlocking: createUnlocking(secrets, limits),
    views: createViews({ db, log, metrics, ownHosts: uncounted }),
    presence,
    streams: createStreams({ db, metrics, opaque, presence }),
    textRecognition: createTextRecognition({ db: db.as('job'), blobs, decoding, settings, log }),
    backups: createBackups({ config, db, blobs, staging, version, settings, diskReserve, log }),
    decoding,
    setupCode: setupCodeOf(secrets),
    version,
    heic: createHeicSupport(log, parts.probeHeic),
    restart: parts.restart,
    checkStart: parts.checkStart ?? checkStartInThread,
    onBackupFault: parts.onBackupFault,
    lifecycle: { stopping: false },
    settled,
  };
  return { ...context, imports: createImports(context, { ...createImporter(context), createAlbum }) };
}

/** Every request asks for them, and they rarely change. */
function createOwnHosts(config: ServiceConfig, links: Links, settings: SettingsStore): ServiceContext['ownHosts'] {
  let from: readonly unknown[] = [];
  let hosts: readonly string[] = [];
  return () => {
    const { allowedHosts } = config;
    const { former_hosts } = settings.current();
    const address = links.address();
    if (from[0] === allowedHosts && from[1] === former_hosts && from[2] === address) return hosts;
    from = [allowedHosts, former_hosts, address];
    hosts = [...allowedHosts, new URL(address).hostname, ...former_hosts].map(hostName);
    return hosts;
  };
}

/** Pictures that are decoded, and those that wait for it. */
function watchDecoding(metrics: Metrics, decoding: DecodingQueue) {
  metrics.watch({
    name: 'pixdock_decoding',
    help: 'Pictures being decoded or waiting to be decoded',
    label: 'state',
    read: () => decoding.counts().decoding,
  });
}

async function prepareFolder(dataDir: string, log: Logger) {
  try {
    await mkdir(join(dataDir, 'blobs'), { recursive: true, mode: 0o700 });
    await keepPrivate(dataDir, log);
  } catch (error) {
    throw new DataFolderError(`Can’t use the data folder ${dataDir}: ${(error as Error).message}.`, { cause: error });
  }
}

/** Closes the data folder to other users of the computer, which protects everything in it. */
async function keepPrivate(folder: string, log: Logger) {
  const { mode } = await stat(folder);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const about = { folder, mode: (mode & 0o777).toString(8) };
  await chmod(folder, 0o700).then(
    () => log.warn(about, 'other users of this computer could look into the data folder; now they can’t'),
    (error: unknown) =>
      log.error({ ...about, err: error }, 'other users of this computer can look into the data folder; change its mode to 700'),
  );
}

async function closeAll(context: ServiceContext, lock: { release(): void }, unwatch: () => void) {
  await context.views.stop();
  await context.placeholders.stop();
  await context.limits.stop();
  await context.blobs.close();
  await context.db.close();
  unwatch();
  lock.release();
}
