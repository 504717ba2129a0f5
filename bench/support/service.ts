// The built service with an owner and pictures.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { pinned } from './load.ts';
import type { Server, Workshop } from './programs.ts';

const ROOT = join(import.meta.dirname, '../..');

const OWNER = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' };

/** A service in its own process. */
export interface BenchService extends Server {
  /** The owner's session. */
  cookie: string;
  /** Uploads a picture; returns its key and direct link. */
  upload(bytes: Buffer, fields?: Record<string, string>): Promise<{ key: string; url: string }>;
  /** A new token of the owner with full access. */
  token(): Promise<string>;
}

interface ServiceOptions {
  nodeOptions?: string[];
  /** False: runs on any core instead of the first one. */
  pin?: boolean;
  /** The folder of the build. */
  dist?: string | undefined;
}

/** Starts the service on its data folder, whether new or used before. */
export function startProcess(
  workshop: Workshop,
  { nodeOptions = [], pin = true, dist = join(ROOT, 'dist') }: ServiceOptions = {},
): Promise<Server> {
  const args = [...nodeOptions, join(dist, 'server/bin.js')];
  const command: [string, string[]] = pin ? pinned(0, process.execPath, args) : [process.execPath, args];
  return workshop.start(command, { PIXDOCK_PORT: '0', PIXDOCK_DATA_DIR: join(workshop.folder, 'data') });
}

/** Starts the service, and creates the owner, unless the data folder has been used before. */
export async function startService(workshop: Workshop, options: ServiceOptions = {}): Promise<BenchService> {
  const isNew = !existsSync(join(workshop.folder, 'data'));
  const server = await startProcess(workshop, options);
  const { url } = server;
  const [cookie = ''] = (
    isNew ? await setUp(server) : await post(url, '/auth/login', { login: OWNER.username, password: OWNER.password })
  ).headers
    .getSetCookie()
    .map((text) => text.split(';')[0]);
  return {
    ...server,
    cookie,
    async upload(bytes, fields = {}) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), 'noise.png');
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const { data } = (await (await post(url, '/upload', form, cookie)).json()) as {
        data: { key: string; links: { url: string } };
      };
      return { key: data.key, url: data.links.url };
    },
    async token() {
      const response = await post(url, '/user/tokens', { name: 'bench', scope: 'full' }, cookie);
      return ((await response.json()) as { data: { token: string } }).data.token;
    },
  };
}

async function setUp(server: Server): Promise<Response> {
  const setup_code = await server.printed(/\/setup#code=(\S+)/);
  return post(server.url, '/setup', { ...OWNER, setup_code });
}

export async function post(url: string, path: string, body: object, cookie = ''): Promise<Response> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { cookie, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

/** A picture of noise, which doesn't compress, so that its side determines its size. */
export function noise(side: number): Promise<Buffer> {
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
