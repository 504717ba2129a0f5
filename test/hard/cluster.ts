import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Access } from '#server/platform/storage/s3/settings.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { PostgresServer } from '#test/helpers/service/data/postgres-server.ts';

/** A built service, which can be killed and started again at the same address. */
export class Node {
  readonly dataDir: string;
  readonly #env: Record<string, string>;
  #service: ChildService;
  isDown = false;
  /** How often it has been killed. */
  kills = 0;

  private constructor(dataDir: string, env: Record<string, string>, service: ChildService) {
    this.dataDir = dataDir;
    this.#env = { ...env, PIXDOCK_PORT: new URL(service.url).port };
    this.#service = service;
  }

  static async start(dataDir: string, env: Record<string, string>): Promise<Node> {
    return new Node(dataDir, env, await startChildService(dataDir, env));
  }

  get url(): string {
    return this.#service.url;
  }

  get setupCode(): string | undefined {
    return this.#service.setupCode;
  }

  async kill(): Promise<void> {
    this.kills++;
    this.isDown = true;
    await this.#service.kill();
  }

  async startAgain(): Promise<void> {
    this.#service = await startChildService(this.dataDir, this.#env);
    this.isDown = false;
  }

  stop(): Promise<number | null> {
    return this.#service.stop();
  }
}

/** The S3 server of a cluster, in a process of its own. */
export class Store {
  readonly access: S3Access;
  readonly #process: ChildProcess;

  private constructor(access: S3Access, started: ChildProcess) {
    this.access = access;
    this.#process = started;
  }

  static async start(): Promise<Store> {
    const started = fork(join(import.meta.dirname, 'store-process.ts'), { execArgv: [] });
    const [access] = await once(started, 'message');
    return new Store(access as S3Access, started);
  }

  /** Accepts connections, but no longer responds. */
  halt(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  /** Breaks its connections and refuses new ones. */
  async refuse(): Promise<void> {
    await this.#send('stop');
  }

  async listen(): Promise<void> {
    await this.#send('start');
  }

  async remove(): Promise<void> {
    this.resume();
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }

  async #send(message: string) {
    const done = once(this.#process, 'message');
    this.#process.send(message);
    await done;
  }
}

/** Two services with a PostgreSQL server and an object store. */
export interface Cluster {
  nodes: readonly [Node, Node];
  postgres: PostgresServer;
  store: Store;
  /** The settings that commands need to work with its database. */
  env: Record<string, string>;
  remove(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const root = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
  const postgres = await PostgresServer.create();
  const store = await Store.start();
  const secrets = JSON.stringify({ master: randomBytes(32).toString('base64') });
  const env = { PIXDOCK_DATABASE_URL: await postgres.addDatabase('pixdock'), PIXDOCK_SECRETS: Buffer.from(secrets).toString('base64') };
  const nodes = [await Node.start(join(root, 'one'), env), await Node.start(join(root, 'two'), env)] as const;
  return {
    nodes,
    postgres,
    store,
    env,
    async remove() {
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all([store.remove(), postgres.remove()]);
      rmSync(root, { recursive: true });
    },
  };
}
