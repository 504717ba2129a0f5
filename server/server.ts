import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { HOUR_MS } from '#api/durations.ts';
import { findOwner } from '#server/core/accounts/users.ts';
import { ConfigError, type ServiceConfig } from '#server/platform/config/config.ts';
import { createDrain } from '#server/platform/http/drain.ts';
import { IDLE_MS } from '#server/platform/http/keep-alive.ts';
import { respondToMalformedRequests } from '#server/platform/http/malformed.ts';
import { messageClasses } from '#server/platform/http/message-classes.ts';
import { endStalled } from '#server/platform/http/stalled.ts';
import { createScheduler, type Scheduler } from '#server/platform/jobs/scheduler.ts';
import manifest from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { openContext, type Parts, type ServiceContext } from './compose.ts';
import { createDesktopSessions, type DesktopSessions } from './desktop-sessions.ts';
import { serviceJobs } from './jobs.ts';
import { findLanAddress } from './lan-address.ts';

/** A running service. */
export interface Service extends DesktopSessions {
  /** For this machine: `http://127.0.0.1:port`. */
  url: string;
  /** The start of absolute links. */
  linkAddress: string;
  /** The one-time code for creating the first account; undefined once there is one. */
  setupCode: string | undefined;
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
  let ownAddress = '';
  const { context, close } = await openContext(config, manifest.version, () => ownAddress, parts);
  try {
    const app = createApp(context);
    // The application refuses a missing Host, in its envelope.
    const server = createServer(
      { requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS, requireHostHeader: false, ...messageClasses(app) },
      app,
    );
    endStalled(server);
    respondToMalformedRequests(server);
    const drain = createDrain(server);
    const port = await listen(server, config);
    const url = `http://${reachableHere(config.host)}:${port}`;
    ownAddress = await chooseOwnAddress(context, url, port);
    const setupCode = (await findOwner(context.db.read)) ? undefined : context.setupCode;
    const jobs = createScheduler(serviceJobs(context), context.log);
    jobs.start();
    context.log.info({ url, link_address: context.links.address() }, 'listening');
    let stopped: Promise<void> | undefined;
    return {
      url,
      get linkAddress() {
        return context.links.address();
      },
      setupCode,
      ...createDesktopSessions(context.db),
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

async function listen(server: Server, { host, port }: ServiceConfig): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, host, port)));
    server.listen(port, host, () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

function explainListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigError(`Another program is using port ${port}. Stop it, or choose another port with PIXDOCK_PORT.`, {
      cause: error,
    });
  if (error.code === 'EACCES')
    return new ConfigError(`The system doesn’t allow this account to use port ${port}. Choose a port above 1023.`, { cause: error });
  if (error.code === 'EADDRNOTAVAIL') return new ConfigError(`${host} isn’t an address of this computer.`, { cause: error });
  return error;
}

const WILDCARDS = ['0.0.0.0', '::'];

/** A host name at which this machine reaches a server that listens on `host`. */
function reachableHere(host: string): string {
  if (WILDCARDS.includes(host)) return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The link address unless a base URL is configured. The address on the network is chosen once and kept, since links are promises. */
async function chooseOwnAddress({ config, settings }: ServiceContext, url: string, port: number): Promise<string> {
  if (!WILDCARDS.includes(config.host)) return url;
  const kept = settings.current().lan_address;
  const address = kept ?? (await findLanAddress());
  if (!address) return url;
  if (!kept) await settings.change({ lan_address: address });
  return `http://${address}:${port}`;
}
