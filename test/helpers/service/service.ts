import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createToken, type TokenScope } from '#api/auth/tokens.ts';
import { createClient } from '#api/client.ts';
import { type Uploaded, upload } from '#api/images/upload.ts';
import type { Parts } from '#server/boot/compose.ts';
import { type Service, startService } from '#server/boot/server.ts';
import { checkStart } from '#server/boot/start-check.ts';
import { reasonOf } from '#server/features/backup/reason.ts';
import { parseConfig, type ServiceConfig } from '#server/platform/config/config.ts';
import { loadSecrets } from '#server/platform/config/secrets.ts';
import { probeHeic } from '#server/platform/imaging/convert.ts';
import type { Job } from '#server/platform/jobs/scheduler.ts';
import { prepareStorage } from '#server/platform/storage/drivers.ts';
import { inCluster, settle, startCluster } from '#test/helpers/service/cluster/cluster.ts';
import { databaseOf } from '#test/helpers/service/data/database.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { runOn } from './data/postgres-server.ts';

/** Makes the run's bucket, with a prefix of its own, the storage of a new service's first policy, if the run has one. */
async function setBucket({ dataDir, databaseUrl }: ServiceConfig): Promise<void> {
  const access = databaseUrl && inject('bucket');
  if (!access) return;
  const secrets = await loadSecrets(dataDir);
  const config = await prepareStorage({ driver: 's3', config: { ...access, prefix: randomUUID() } }, [], { dataDir, secrets });
  await runOn(databaseUrl, `update policies set driver = 's3', config = $config$${config}$config$ where id = 1`);
}

/** The built web application; unit tests need only its page. */
const WEB_ROOT = join(import.meta.dirname, process.env.PIXDOCK_TEST_UNIT ? '../../../renderer' : '../../../dist/renderer');

export interface TestService extends Service {
  dataDir: string;
  config: ServiceConfig;
  /** Stops the service and starts it again on the same data folder and port. */
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

let heicSupport: Promise<boolean> | undefined;
/** The real probe, run once for all services of this process. */
const probeHeicOnce = () => (heicSupport ??= probeHeic());

/** Loading the service in a thread takes a second; tests of the built service do so. */
async function checkStartHere(dataDir: string): Promise<void> {
  await checkStart(dataDir).catch((error: unknown) => {
    throw new Error(reasonOf(error, dataDir), { cause: error });
  });
}

/** The other jobs would change now and then what a test looks at; tests run them on their own. */
const oftenRun = (jobs: Job[]) => jobs.filter(({ everySeconds }) => everySeconds < 15);

async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  await writeEmptyDatabase(folder);
  return folder;
}

/**
 * The real service on a free port with its own data folder, removed at the end: `await using service = await startTestService()`.
 * On PostgreSQL, it stores pictures in a bucket if the run has one, and `npm run test:cluster` starts two behind a load balancer, unless a test brings its
 * own database or data folder.
 */
export async function startTestService(options: Partial<ServiceConfig> = {}, parts?: Parts): Promise<TestService> {
  const dataDir = options.dataDir ?? (await newDataFolder());
  const config = parseConfig({ port: 0, webRoot: WEB_ROOT, logLevel: 'silent', ...(await databaseOf(dataDir)), ...options, dataDir });
  const allParts = { probeHeic: probeHeicOnce, checkStart: checkStartHere, chooseJobs: oftenRun, ...parts };
  const isOwn = !options.dataDir && !('databaseUrl' in options);
  if (isOwn) await setBucket(config);
  const start = isOwn && inCluster ? startCluster : startService;
  let service = await start(config, allParts);
  return {
    dataDir,
    config,
    get url() {
      return service.url;
    },
    get linkAddress() {
      return service.linkAddress;
    },
    get setupCode() {
      return service.setupCode;
    },
    get restoreNotice() {
      return service.restoreNotice;
    },
    openOwnerSession: (name) => service.openOwnerSession(name),
    openAccountSession: (id, name) => service.openAccountSession(id, name),
    listAccounts: () => service.listAccounts(),
    listenOn: (host) => service.listenOn(host),
    chooseLanAddress: (host) => service.chooseLanAddress(host),
    allowHosts: (hosts) => service.allowHosts(hosts),
    countImages: () => service.countImages(),
    readText: (path) => service.readText(path),
    setOnBattery: (onBattery) => service.setOnBattery(onBattery),
    awaitVisitor: (report) => service.awaitVisitor(report),
    stop: () => service.stop(),
    async restart() {
      const { port } = new URL(service.url);
      await service.stop();
      service = await start({ ...config, port: Number(port) }, allParts);
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Any running service, in this process or another. */
export type Reachable = Pick<Service, 'url'>;

export const OWNER = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' };

/** A signed-in user: the session cookie, and functions that send it. */
export interface SignedIn {
  cookie: string;
  /** Calls any path below the service with the session's cookie. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The typed client with the session's cookie. */
  client: ReturnType<typeof createClient>;
  /** A new token's text. */
  token(scope: TokenScope): Promise<string>;
}

/** Creates the owner over HTTP, with the setup code if the service has one, and signs in. */
export async function setUp(service: Reachable & { setupCode?: string | undefined }): Promise<SignedIn> {
  const response = await fetch(`${service.url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...OWNER, setup_code: service.setupCode }),
  });
  if (!response.ok) throw new Error(`setup failed: ${await response.text()}`);
  return signedIn(service, cookieOf(response));
}

/** The session cookie that a response sets, as a request header. */
export function cookieOf(response: Response): string {
  const [cookie] = response.headers.getSetCookie();
  if (!cookie) throw new Error('the response sets no cookie');
  return cookie.split(';')[0] as string;
}

export function signedIn(service: Reachable, cookie: string): SignedIn {
  const send = async (url: string, init: RequestInit = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), cookie };
    const response = await fetch(url, { ...init, headers });
    await settle(url, init.method, { cookie });
    return response;
  };
  const client = createClient({ baseUrl: service.url, fetch: (input, init) => send(String(input), init) });
  return {
    cookie,
    client,
    fetch: (path, init) => send(`${service.url}${path}`, init),
    token: async (scope) => (await client.call(createToken, { body: { name: `a token that may ${scope}`, scope } })).token,
  };
}

/** Uploads a new picture with a token, or as a guest without one. */
export async function uploadImage(
  service: Reachable,
  token: string | undefined,
  bytes: Uint8Array,
  fields: Record<string, string> = {},
  name = 'photo.jpg',
  headers: Record<string, string> = {},
): Promise<Uploaded> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  // fetch doesn't repeat a POST: a pooled connection may have been closed while the test was busy.
  const client = createClient({ baseUrl: service.url, ...(token && { token }) });
  return (await client.send(upload, form, { headers: { ...headers, connection: 'close' } })) as Uploaded;
}
