import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has } from '#test/helpers/programs/installed.ts';

const SITE = join(import.meta.dirname, '../../../../deploy/nginx.conf');

/** The program, if it is installed; Debian's is outside the `PATH` of users. */
export const findNginx = (): string | undefined => ['nginx', '/usr/sbin/nginx'].find(has);

/**
 * Writes the configuration in `deploy/`, with other addresses, and what nginx needs to run it in a folder of its own.
 * @param servers the addresses of Pixdock's servers, as `host:port`
 * @param isBehindProxy whether it believes what its clients say about the addresses of theirs
 * @returns the arguments of nginx
 */
export function configureNginx(home: string, port: number, servers: readonly [string, string], isBehindProxy = false): string[] {
  mkdirSync(join(home, 'logs'));
  const [one, two] = servers;
  const site = readFileSync(SITE, 'utf8')
    .replace('one:7410', one)
    .replace('two:7410', two)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`).join(' ');
  // As root, its workers would run as a user who may not enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const proxy = isBehindProxy ? 'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;' : '';
  const path = join(home, 'nginx.conf');
  writeFileSync(
    path,
    `${user} pid ${home}/pid; daemon off; error_log stderr notice; events { worker_connections 1024; } http { access_log off; ${paths} ${proxy}\n${site}}`,
  );
  return ['-p', home, '-c', path];
}

/** nginx on a port of this computer, in front of two servers. */
export async function startNginx(port: number, servers: readonly [string, string], isBehindProxy: boolean): Promise<AsyncDisposable> {
  const program = findNginx();
  if (!program) throw new Error('nginx isn’t installed');
  const home = mkdtempSync(join(tmpdir(), 'pixdock-nginx-'));
  const child = spawn(program, configureNginx(home, port, servers, isBehindProxy), { stdio: ['ignore', 'ignore', 'pipe'] });
  await started(child);
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(home, { recursive: true });
    },
  };
}

/** Resolves once nginx accepts connections, which it does before it starts its workers. */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (text: Buffer) => {
      log += text;
      if (log.includes('start worker process')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`nginx didn’t start: ${log}`)));
  });
}
