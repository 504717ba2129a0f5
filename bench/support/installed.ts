// Other products, from npm. They are installed with the first run that needs them, outside of this project's packages.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort, runAll, type Server, type Workshop } from './programs.ts';

const PEERS = join(import.meta.dirname, '../../.cache/peers');

/** A folder with these packages, exactly in these versions. */
async function install(name: string, dependencies: Record<string, string>, build?: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(PEERS, name);
  const description = JSON.stringify({ private: true, dependencies });
  const installed = join(folder, 'installed.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === description) return folder;
  console.log(`Installing ${name} into ${folder}…`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), description);
  await npm(folder, ['install', '--omit=dev', '--ignore-scripts', '--no-package-lock']);
  await build?.(folder);
  writeFileSync(installed, description);
  return folder;
}

function npm(folder: string, args: string[], env?: NodeJS.ProcessEnv) {
  return runAll([['npm', ['--prefix', folder, '--loglevel=error', ...args]]], env);
}

/** Directus 11.3.5 needs Node 22, for which its native packages are compiled. */
async function installDirectus(): Promise<{ folder: string; node: string }> {
  const nodePackage = `node-linux-${process.arch}`;
  const pinned = { directus: '11.3.5', sqlite3: '5.1.7', [nodePackage]: '22.23.3' };
  const inside = (folder: string) => join(folder, 'node_modules', nodePackage);
  const folder = await install('directus', pinned, (made) =>
    npm(made, ['rebuild', 'sqlite3', 'isolated-vm'], {
      PATH: `${join(inside(made), 'bin')}${delimiter}${process.env.PATH}`,
      npm_config_nodedir: inside(made),
    }),
  );
  return { folder, node: join(inside(folder), 'bin/node') };
}

export interface Directus extends Server {
  /** Of its admin. */
  token: string;
}

/** Directus with SQLite and local storage. It logs only warnings, and guests can read all files, as with our public pictures. */
export async function startDirectus(workshop: Workshop): Promise<Directus> {
  const { folder, node } = await installDirectus();
  const token = 'bench-bench-bench';
  const data = join(workshop.folder, 'directus');
  mkdirSync(data);
  const port = await freePort();
  const env = {
    ...{
      NODE_ENV: 'production',
      NODE_NO_WARNINGS: '1',
      HOST: '127.0.0.1',
      PORT: `${port}`,
      KEY: 'bench',
      SECRET: 'bench',
      TELEMETRY: 'false',
      LOG_LEVEL: 'warn',
    },
    ...{ ADMIN_EMAIL: 'bench@example.org', ADMIN_PASSWORD: 'bench bench bench', ADMIN_TOKEN: token },
    ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: join(data, 'data.db'), STORAGE_LOCATIONS: 'local', STORAGE_LOCAL_ROOT: join(data, 'files') },
  };
  // What `directus` runs once it has looked for updates.
  const cli = join(folder, 'node_modules/@directus/api/dist/cli/run.js');
  await runAll([[node, [cli, 'bootstrap']]], env);
  const url = `http://127.0.0.1:${port}`;
  const server = await startQuiet(workshop, { url, path: '/server/ping', command: [node, cli, 'start'], env });
  await letGuestsRead(url, token);
  return { ...server, token };
}

async function letGuestsRead(url: string, token: string): Promise<void> {
  const policies = (await (await fetch(`${url}/policies`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
    data: { id: string; name: string }[];
  };
  const policy = policies.data.find(({ name }) => name.includes('public'))?.id;
  const response = await fetch(`${url}/permissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ policy, collection: 'directus_files', action: 'read', fields: ['*'], permissions: {}, validation: {} }),
  });
  if (policy === undefined || !response.ok) throw new Error(await response.text());
}

/** ipx, which makes every thumbnail when it is requested and keeps none. */
export async function startIpx(workshop: Workshop, files: string): Promise<Server> {
  const folder = await install('ipx', { ipx: '3.1.1' });
  const port = await freePort();
  const command = [process.execPath, join(folder, 'node_modules/ipx/dist/cli.mjs'), 'serve', '--dir', files];
  return startQuiet(workshop, {
    url: `http://127.0.0.1:${port}`,
    path: '/',
    command: [...command, '--host', '127.0.0.1', '--port', `${port}`],
    env: { NODE_ENV: 'production' },
  });
}

/** Starts a server that doesn't print its address in a form that we know. */
async function startQuiet(
  workshop: Workshop,
  { url, path, command, env }: { url: string; path: string; command: string[]; env: NodeJS.ProcessEnv },
): Promise<Server> {
  const server = await workshop.start(['sh', ['-c', `echo ${url} && exec "$@" > /dev/null`, 'sh', ...command]], env);
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    if (await fetch(`${url}${path}`).catch(() => undefined)) return server;
  }
  throw new Error(`${dirname(command[1] ?? '')} doesn't respond`);
}
