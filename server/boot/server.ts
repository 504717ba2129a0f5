import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '#api/durations.ts';
import type { TextLine } from '#api/images/text.ts';
import { findOwner } from '#server/core/accounts/users.ts';
import { readTotals } from '#server/features/admin/stats.ts';
import { describeFailure, describeRestore } from '#server/features/backup/describe.ts';
import { noteRestored } from '#server/features/backup/outcome.ts';
import { reasonOf } from '#server/features/backup/reason.ts';
import { failRestore, forgiveStart, hasFailed } from '#server/features/backup/swap.ts';
import { awaitVisitor } from '#server/network/first-visitor.ts';
import { PortTakenError, reachableHere, startListening } from '#server/network/listening.ts';
import { createOwnAddress, requireLinkAddress } from '#server/network/own-address.ts';
import { DataFolderError, type ServiceConfig } from '#server/platform/config/config.ts';
import { hazardOf } from '#server/platform/files/folder-hazard.ts';
import { respondToMalformedRequests } from '#server/platform/http/errors/malformed.ts';
import { messageClasses } from '#server/platform/http/errors/message-classes.ts';
import { createDrain, limitConnections, trackConnections } from '#server/platform/http/limits/connections.ts';
import { IDLE_MS } from '#server/platform/http/limits/keep-alive.ts';
import { endStalled } from '#server/platform/http/limits/stalled.ts';
import { measureRequests } from '#server/platform/http/measure.ts';
import { createLease, JOBS_LEASE, type KeptLease, keepLease } from '#server/platform/jobs/lease.ts';
import { createScheduler, type Scheduler } from '#server/platform/jobs/scheduler.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createApp, createListener } from './app.ts';
import { openContext, type Parts, type ServiceContext } from './compose.ts';
import { createDesktopSessions, type DesktopSessions } from './desktop-sessions.ts';
import { serviceJobs } from './jobs.ts';

/** A running service. */
export interface Service extends DesktopSessions {
  /** For this machine: `http://127.0.0.1:port`. */
  url: string;
  /** The start of absolute links. */
  linkAddress: string;
  /** The one-time code for creating the first account; undefined once there is one. */
  setupCode: string | undefined;
  /**
   * Listens on another address of this computer and the same port. The link address follows; requests in progress continue.
   * @throws ConfigError with a sentence; the service then listens where it did before
   */
  listenOn(host: string): Promise<void>;
  /**
   * Changes the host name or IPv4 address that links start with while the service listens on the network. The former one stays accepted.
   * @throws RequestError `invalid_request`
   */
  chooseLanAddress(host: string): Promise<void>;
  /** Accepts these host names, in lower case, in place of the configured ones, besides those of links and of this computer. */
  allowHosts(hosts: readonly string[]): void;
  /**
   * The lines of text in a picture of this computer, in the languages that an admin has chosen.
   * @throws ImageError when it can't be read
   */
  readText(path: string): Promise<TextLine[]>;
  /** Pauses the recognition of text while the computer runs on battery. */
  setOnBattery(onBattery: boolean): void;
  /** What became of the restore that this start carried out, in sentences. */
  restoreNotice: string | undefined;
  /** How many pictures have links, those in the trash excluded. */
  countImages(): Promise<number>;
  /** Reports the IP address of the next other device that sends a request; replaces an earlier wait. */
  awaitVisitor(report: (address: string) => void): void;
  /** Lets running requests finish, within a time limit, then closes everything. Further calls wait for the same end. */
  stop(): Promise<void>;
}

/** How long one request may take to arrive: a backup of many pictures over a slow network takes hours. Headers have a limit of their own. */
const REQUEST_MS = 12 * HOUR_MS;

const HEALTH_MS = 20_000;

/**
 * Starts the service and resolves once it accepts requests. When it doesn't start with a restored backup, it starts with the
 * former data.
 * @throws ConfigError with a sentence when it can't start as configured
 */
export async function startService(config: ServiceConfig, parts?: Parts): Promise<Service> {
  try {
    return await startOnce(config, parts);
  } catch (error) {
    if (!hasFailed(config.dataDir)) throw error;
    return startOnce(config, parts);
  }
}

const SYNCHRONISED = 'another program synchronises the data folder and can damage it; move it to a folder that isn’t synchronised';

/** @throws DataFolderError when the database would be on a network share (decision 110) */
async function requireLocalDatabase({ dataDir, databaseUrl }: ServiceConfig) {
  const hazard = await hazardOf(dataDir);
  if (hazard !== 'network' || databaseUrl) return hazard;
  throw new DataFolderError(
    `The data folder ${dataDir} is on a network share, where the database can be damaged. Move it to a local disk, or use a database server (PIXDOCK_DATABASE_URL).`,
  );
}

async function startOnce(config: ServiceConfig, parts?: Parts): Promise<Service> {
  const ownAddress = createOwnAddress(() => context.settings);
  const hazard = await requireLocalDatabase(config);
  const { context, close } = await openContext({ config, version: manifest.version, ownAddress: ownAddress.current, parts });
  if (hazard === 'synchronised') context.log.warn({ folder: config.dataDir }, SYNCHRONISED);
  let networkFault = false;
  let stopListening = async (): Promise<void> => undefined;
  try {
    const app = createApp(context);
    // The application refuses a missing Host, in its envelope.
    const server = createServer(
      { requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS, requireHostHeader: false, ...messageClasses(app) },
      createListener(app, context),
    );
    const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
    measureRequests(server, context.metrics);
    limitConnections(server, (address) => isProxy(address, 0));
    endStalled(server);
    respondToMalformedRequests(server);
    const sockets = trackConnections(server);
    const drain = createDrain(server, sockets);
    const countImages = async () => (await readTotals(context.db.read)).images;
    const listening = await startListening(server, sockets, config).catch(async (error: unknown) => {
      if (error instanceof PortTakenError) error.images = await countImages();
      networkFault = true;
      throw error;
    });
    stopListening = drain;
    const { port } = listening;
    const url = `http://${reachableHere(config.host)}:${port}`;
    await ownAddress.follow(config.host, port);
    if (context.settled?.applied) await requireHealth(url, context.links.address());
    const restored = await noteRestored(context, context.settled);
    const restoreNotice = restored ? describeRestore(restored) : context.settled?.failure && describeFailure(context.settled.failure);
    const setupCode = (await findOwner(context.db.read)) ? undefined : context.setupCode;
    const { db, log, metrics } = context;
    const lease = db.isShared ? await keepLease(createLease(db.as('job'), JOBS_LEASE), log) : undefined;
    const all = serviceJobs(context);
    const jobs = createScheduler(parts?.chooseJobs?.(all) ?? all, log, { metrics, lease });
    jobs.start();
    context.log.info({ url, link_address: context.links.address() }, 'listening');
    let stopped: Promise<void> | undefined;
    let endWait = (): void => undefined;
    return {
      url,
      get linkAddress() {
        return context.links.address();
      },
      setupCode,
      restoreNotice,
      ...createDesktopSessions(context.db.as('start')),
      async listenOn(host) {
        await listening.moveTo(host);
        await ownAddress.follow(listening.host(), port);
      },
      chooseLanAddress: ownAddress.choose,
      allowHosts(hosts) {
        context.config.allowedHosts = [...hosts];
      },
      countImages,
      readText: context.textRecognition.read,
      setOnBattery: context.textRecognition.setOnBattery,
      awaitVisitor(report) {
        endWait();
        endWait = awaitVisitor(server, report);
      },
      stop: () => (stopped ??= stopAll(drain, jobs, lease, context).then(close)),
    };
  } catch (error) {
    await stopListening();
    // With the data folder still locked. A port that is in use says nothing about restored data.
    if (networkFault) await forgiveStart(config.dataDir);
    else await failRestore(config.dataDir, reasonOf(error, config.dataDir));
    await close();
    throw error;
  }
}

/** Restored data is final only when requests succeed with it. */
async function requireHealth(url: string, linkAddress: string): Promise<void> {
  requireLinkAddress(linkAddress);
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`Requests fail with status ${response.status}.`);
}

async function stopAll(drain: () => Promise<void>, jobs: Scheduler, lease: KeptLease | undefined, context: ServiceContext): Promise<void> {
  const { config, lifecycle, backups, streams, thumbnails } = context;
  lifecycle.stopping = true;
  backups.stop();
  const stopServing = async () => {
    // Load balancers learn from /readyz; until they have, requests still arrive.
    if (config.drainSeconds) await sleep(config.drainSeconds * 1000);
    streams.close();
    await drain();
  };
  await Promise.all([stopServing(), jobs.stop().then(() => lease?.stop())]);
  await thumbnails.settled();
}
