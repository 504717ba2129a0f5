import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configFromEnv } from '#server/platform/config/env.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { configureNginx, findNginx } from '#test/helpers/service/cluster/nginx.ts';
import { codeBlocks, readGuide } from './guides.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const GUIDE = 'several-machines.md';
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

interface Service {
  environment?: Record<string, string | number>;
  volumes?: string[];
  configs?: { source: string }[];
  depends_on?: string[] | Record<string, unknown>;
  build?: { dockerfile: string };
  networks?: { default: { ipv4_address: string } };
}
interface Compose {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
  volumes: Record<string, null>;
}

/** What the guide's commands write to `.env`. */
function readEnv(): Record<string, string> {
  const folder = temporaryFolder();
  const run = () => {
    execFileSync('bash', ['-euc', codeBlocks(GUIDE, 'sh').join('\n')], { cwd: folder });
    return readFileSync(join(folder, 'deploy/.env'), 'utf8');
  };
  const written = run();
  expect(run(), 'once more').toBe(written);
  expect(statSync(join(folder, 'deploy/.env')).mode & 0o777).toBe(0o600);
  return Object.fromEntries(
    written
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** The file as Compose reads it, with `${NAME}`, `${NAME:?}` and `${NAME:-default}` replaced. */
function readCompose(env: Record<string, string>): Compose {
  const filled = read('compose.yml').replace(/\$\{(\w+)(?::\?|:-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw new Error(`${name} isn’t set`);
    return value;
  });
  return parse(filled, { merge: true });
}

it.runIf(has('openssl') && has('base64'))('the Compose file names what exists, and configures Pixdock completely', () => {
  const env = readEnv();
  const { services, configs, volumes } = readCompose(env);
  const names = Object.keys(services);
  for (const [name, { volumes: mounts = [], configs: used = [], depends_on = [] }] of Object.entries(services)) {
    for (const needed of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) expect(names, name).toContain(needed);
    for (const { source } of used) expect(Object.keys(configs), name).toContain(source);
    for (const mount of mounts) {
      const [from = ''] = mount.split(':');
      if (from.startsWith('./')) expect(read(from)).not.toBe('');
      else expect(Object.keys(volumes), name).toContain(from);
    }
  }
  const { one, two, nginx } = services;
  expect(one?.environment).toEqual(two?.environment);
  expect(one?.volumes).not.toEqual(two?.volumes);
  const variables = Object.fromEntries(Object.entries(one?.environment ?? {}).map(([name, value]) => [name, String(value)]));
  const config = configFromEnv('.', variables);
  expect(config).toMatchObject({
    baseUrl: 'http://localhost:8080',
    trustProxy: [nginx?.networks?.default.ipv4_address],
    databaseUrl: `postgres://pixdock:${env.POSTGRES_PASSWORD}@database/pixdock`,
    drainSeconds: 5,
  });
  const secrets = JSON.parse(Buffer.from(config.secrets ?? '', 'base64').toString());
  expect(Buffer.from(secrets.master, 'base64')).toHaveLength(32);
  const [identity] = JSON.parse(configs.s3?.content ?? '').identities;
  expect(identity.credentials).toEqual([{ accessKey: 'pixdock', secretKey: env.S3_SECRET_KEY }]);
  // What the guide has admins enter.
  for (const entered of ['http://store:8333', '`pictures`', '`pixdock`']) expect(readGuide(GUIDE)).toContain(entered);
});

it('the unit is that of the other guide', () => {
  const withoutVariables = (unit: string) => unit.replace(/^Environment.*\n/gm, '');
  expect(withoutVariables(read('pixdock.service'))).toBe(withoutVariables(codeBlocks('headless.md', 'ini')[0] ?? ''));
  const lines = (codeBlocks(GUIDE, 'ini')[0] ?? '').trim().split('\n');
  const config = configFromEnv('.', Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string])));
  expect(config).toMatchObject({ host: '0.0.0.0', drainSeconds: 10, databaseUrl: expect.stringContaining('10.0.0.20') });
});

it('nginx sets all headers that Pixdock trusts from it', () => {
  for (const config of [read('nginx.conf'), codeBlocks('reverse-proxies.md', 'nginx')[0]])
    for (const header of ['Host', 'X-Forwarded-Host', 'X-Forwarded-For', 'X-Forwarded-Proto'])
      expect(config).toMatch(new RegExp(`^ +proxy_set_header ${header} \\$\\w+;$`, 'm'));
});

const nginx = findNginx();

it.runIf(nginx)('nginx accepts its configuration', () => {
  const home = temporaryFolder();
  const args = configureNginx(home, 18_999, ['127.0.0.1:7410', '127.0.0.1:7411']);
  execFileSync(nginx as string, ['-t', ...args], { stdio: 'pipe' });
});

const WORKFLOWS = join(import.meta.dirname, '../../.github/workflows');

interface Job {
  env?: Record<string, string>;
  steps: { uses?: string; with?: Record<string, unknown> }[];
}

/** The jobs that use secrets. */
const signing = readdirSync(WORKFLOWS)
  .flatMap((name) => Object.values((parse(readFileSync(join(WORKFLOWS, name), 'utf8')) as { jobs: Record<string, Job> }).jobs))
  .filter((job) => JSON.stringify(job).includes('secrets.'));

it('a job that signs shares no cache with others, and runs no scripts of the packages that it installs', () => {
  expect(signing).toHaveLength(1);
  for (const { env, steps } of signing) {
    expect(env).toMatchObject({ npm_config_ignore_scripts: 'true' });
    for (const { uses = '', with: inputs = {} } of steps) {
      expect(uses).not.toContain('cache');
      expect(inputs).not.toHaveProperty('cache');
      if (uses.startsWith('actions/setup-node@')) expect(inputs).toMatchObject({ 'package-manager-cache': false });
    }
  }
});
