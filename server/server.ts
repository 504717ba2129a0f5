import { createServer } from 'node:http';
import { HOUR_MS } from '#api/durations.ts';
import { findOwner } from '#server/core/accounts/users.ts';
import { readTotals } from '#server/features/admin/stats.ts';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import { createDrain, trackConnections } from '#server/platform/http/drain.ts';
import { IDLE_MS } from '#server/platform/http/keep-alive.ts';
import { respondToMalformedRequests } from '#server/platform/http/malformed.ts';
import { messageClasses } from '#server/platform/http/message-classes.ts';
import { endStalled } from '#server/platform/http/stalled.ts';
import { createScheduler, type Scheduler } from '#server/platform/jobs/scheduler.ts';
import manifest from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { openContext, type Parts, type ServiceContext } from './compose.ts';
import { createDesktopSessions, type DesktopSessions } from './desktop-sessions.ts';
import { awaitVisitor } from './first-visitor.ts';
import { serviceJobs } from './jobs.ts';
import { PortTakenError, reachableHere, startListening } from './listening.ts';
import { createOwnAddress } from './own-address.ts';

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
  /** How many pictures have links, those in the trash excluded. */
  countImages(): Promise<number>;
  /** Reports the IP address of the next other device that sends a request; replaces an earlier wait. */
  awaitVisitor(report: (address: string) => void): void;
  /** Lets running requests finish, within a time limit, then closes everything. Further calls wait for the same end. */
  stop(): Promise<void>;
}

/** How long one request may take to arrive: a backup of many pictures over a slow network takes hours. Headers have a limit of their own. */
const REQUEST_MS = 12 * HOUR_MS;

/**
 * Starts the service and resolves once it accepts requests.
 * @throws ConfigError with a sentence when it can't start as configured
 */
export async function startService(config: ServiceConfig, parts?: Parts): Promise<Service> {
  const ownAddress = createOwnAddress(() => context.settings);
  const { context, close } = await openContext(config, manifest.version, ownAddress.current, parts);
  try {
    const app = createApp(context);
    // The application refuses a missing Host, in its envelope.
    const server = createServer(
      { requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS, requireHostHeader: false, ...messageClasses(app) },
      app,
    );
    endStalled(server);
    respondToMalformedRequests(server);
    const sockets = trackConnections(server);
    const drain = createDrain(server, sockets);
    const countImages = async () => (await readTotals(context.db.read)).images;
    const listening = await startListening(server, sockets, config).catch(async (error: unknown) => {
      if (error instanceof PortTakenError) error.images = await countImages();
      throw error;
    });
    const { port } = listening;
    const url = `http://${reachableHere(config.host)}:${port}`;
    await ownAddress.follow(config.host, port);
    const setupCode = (await findOwner(context.db.read)) ? undefined : context.setupCode;
    const jobs = createScheduler(serviceJobs(context), context.log);
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
      ...createDesktopSessions(context.db),
      async listenOn(host) {
        await listening.moveTo(host);
        await ownAddress.follow(listening.host(), port);
      },
      chooseLanAddress: ownAddress.choose,
      allowHosts(hosts) {
        context.config.allowedHosts = [...hosts];
      },
      countImages,
      awaitVisitor(report) {
        endWait();
        endWait = awaitVisitor(server, report);
      },
      stop: () => (stopped ??= stopAll(drain, jobs, context).then(close)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function stopAll(drain: () => Promise<void>, jobs: Scheduler, { backups, thumbnails }: ServiceContext): Promise<void> {
  backups.stop();
  await Promise.all([drain(), jobs.stop()]);
  await thumbnails.settled();
}
