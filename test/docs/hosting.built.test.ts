import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI } from '#test/cli/built-cli.ts';
import { freePort } from '#test/helpers/network/free-port.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { cookieOf, OWNER, signedIn, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { codeBlocks, readGuide } from './guides.ts';

/** Starts a program that runs until the test ends. */
function start(command: string, args: string[], options: { cwd: string; env: Record<string, string> }) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return { child, output: () => output.join('') };
}

const isHealthy = async (url: string) => (await fetch(`${url}/healthz`).catch(() => undefined))?.status;

describe('headless.md', () => {
  it('has a command that starts the service', async () => {
    const [block = ''] = codeBlocks('headless.md', 'sh');
    const port = await freePort();
    const home = temporaryFolder();
    const line = block
      .trim()
      .replace(/^pixdock/, `exec '${process.execPath}' '${CLI}'`)
      .replace('7410', String(port));
    const { child } = start('sh', ['-c', line], { cwd: home, env: homeEnv(home) });
    await expect.poll(() => isHealthy(`http://127.0.0.1:${port}`), { timeout: 20_000 }).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it("has a unit that starts the service with the unit's settings, and stopping it exits with 0", async () => {
    const [unit = ''] = codeBlocks('headless.md', 'ini');
    const home = temporaryFolder();
    const port = await freePort();
    const here = unit
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/pixdock/dist/cli/pixdock.js', CLI)
      .replace('PIXDOCK_PORT=7410', `PIXDOCK_PORT=${port}`)
      .replace('/var/lib/pixdock', join(home, 'data'));
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(here) ?? [];
    const settings = [...here.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(settings.length).toBeGreaterThanOrEqual(4);
    const [program = '', ...args] = command.split(' ');
    const { child } = start(program, args, { cwd: home, env: { ...homeEnv(home), ...Object.fromEntries(settings) } });
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => isHealthy(url), { timeout: 20_000 }).toBe(200);
    expect((await (await fetch(`${url}/api/v1/config`)).json()).data.base_url).toBe('https://pics.example.org');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.runIf(process.platform === 'linux')('has commands that build it, start it and run it in a container', async () => {
    const home = temporaryFolder();
    const bin = join(home, 'bin');
    await mkdir(bin);
    const program = (name: string, script: string) => writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    // Stand-ins for what needs root, a network or a container engine: they note what they are asked for.
    for (const name of ['npm', 'useradd', 'systemctl', 'podman'])
      await program(name, `echo "$(basename "$PWD") ${name} $*" >> '${home}/calls'`);
    await program('sudo', 'exec "$@"');
    await program('git', `[ "$1" = clone ] && mkdir -p "$3"`);
    const script = codeBlocks('headless.md', 'sh')
      .filter((block) => /^(sudo|podman) /.test(block))
      .join('')
      .replaceAll('/opt/', `${home}/opt/`);
    const { stderr, code } = await runProgram('bash', ['--norc', '-euc', script], {
      cwd: home,
      env: { ...homeEnv(home), PATH: `${bin}:${process.env.PATH}` },
    });
    expect([code, stderr]).toEqual([0, '']);
    const calls = (await readFile(join(home, 'calls'), 'utf8')).trim().split('\n');
    expect(calls).toEqual([
      'pixdock npm ci',
      'pixdock npm run build',
      'pixdock useradd --system pixdock',
      'pixdock systemctl enable --now pixdock',
      'pixdock podman build -t pixdock -f deploy/Containerfile .',
      expect.stringMatching(
        / podman run -d --name pixdock .* -p 127\.0\.0\.1:7410:7410 -v pixdock:\/data -e PIXDOCK_BASE_URL=\S+ pixdock$/,
      ),
      'pixdock podman logs pixdock',
    ]);
  });

  it('names a container file that copies what the program needs and starts it', async () => {
    expect(readGuide('headless.md')).toContain('-f deploy/Containerfile .');
    const file = await readFile(join(import.meta.dirname, '../../deploy/Containerfile'), 'utf8');
    expect(file).toContain('ENTRYPOINT ["node", "dist/cli/pixdock.js"]');
    for (const needed of ['package.json', 'node_modules', 'dist']) expect(file).toContain(`COPY --from=build /app/${needed} `);
  });
});

describe('the guides to servers', () => {
  it('never leave plain HTTP open beside a proxy', () => {
    const [unit = ''] = codeBlocks('headless.md', 'ini');
    expect(unit).toContain('Environment=PIXDOCK_HOST=127.0.0.1\n');
    expect(readGuide('headless.md')).toMatch(/podman run [^`]* -p 127\.0\.0\.1:7410:7410 /);
    expect(readGuide('reverse-proxies.md')).toContain('`PIXDOCK_HOST=127.0.0.1`');
  });
});

describe('reverse-proxies.md', () => {
  const proxies: [string, (port: number, target: string, home: string) => Promise<[command: string, ...args: string[]]>][] = [
    ['nginx', startNginx],
    ['caddy', startCaddy],
  ];

  for (const [name, prepare] of proxies) {
    it.runIf(has(name))(`${name} passes uploads, addresses, links and events through`, async () => {
      await using service = await startTestService({ baseUrl: 'http://pics.example.org', trustProxy: ['127.0.0.1'] });
      const home = temporaryFolder();
      const port = await freePort();
      const [command, ...args] = await prepare(port, new URL(service.url).host, home);
      const { output } = start(command, args, { cwd: home, env: homeEnv(home) });
      const proxy = `http://127.0.0.1:${port}`;
      await expect
        .poll(() => viaProxy(proxy, '/healthz').then((response) => response.status), { timeout: 20_000, message: output() })
        .toBe(200);
      const { data } = JSON.parse((await viaProxy(proxy, '/api/v1/config')).text);
      expect(data.base_url).toBe('http://pics.example.org');
      const owner = await setUpWithCode(service);
      const token = await owner.token('upload');
      const events = await eventsVia(proxy, owner.cookie);
      await expect.poll(events.text, { timeout: 5_000 }).toContain('event: resync\n');
      const image = await photoJpeg({ width: 3000, height: 2000, quality: 100 });
      const uploaded = await viaProxy(proxy, '/api/v1/upload', token, image);
      expect(uploaded.status, uploaded.text).toBe(200);
      expect(image.length).toBeGreaterThan(1_048_576);
      const { key, links, size } = JSON.parse(uploaded.text).data;
      expect(links.url).toMatch(/^http:\/\/pics\.example\.org\/i\//);
      // A proxy that gathered events would keep this one until many have followed, or the stream ends.
      await expect.poll(events.text, { timeout: 5_000 }).toContain(`event: image.created\ndata: {"keys":["${key}"]}\n\n`);
      const { status, text } = await viaProxy(proxy, new URL(links.url).pathname);
      expect([status, Buffer.byteLength(text, 'latin1')]).toEqual([200, size]);
    });
  }

  async function startNginx(port: number, target: string, home: string): Promise<[string, ...string[]]> {
    const [server = ''] = codeBlocks('reverse-proxies.md', 'nginx');
    const plain = server
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replace(/^.*ssl_certificate.*\n/gm, '')
      .replace('127.0.0.1:7410', target);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`).join(' ');
    const config = `daemon off; pid ${home}/pid; error_log stderr; events {} http { access_log off; ${paths}\n${plain}}`;
    await mkdir(join(home, 'logs'));
    await writeFile(join(home, 'nginx.conf'), config);
    return ['nginx', '-p', home, '-c', join(home, 'nginx.conf')];
  }

  async function startCaddy(port: number, target: string, home: string): Promise<[string, ...string[]]> {
    const [site = ''] = codeBlocks('reverse-proxies.md', 'caddyfile');
    const plain = site.replace('pics.example.org {', `http://pics.example.org:${port} {`).replace('127.0.0.1:7410', target);
    await writeFile(join(home, 'Caddyfile'), `{\n\tadmin off\n}\n${plain}`);
    return ['caddy', 'run', '--config', join(home, 'Caddyfile')];
  }
});

async function setUpWithCode(service: TestService) {
  const body = JSON.stringify({ ...OWNER, setup_code: service.setupCode });
  const response = await fetch(`${service.url}/api/v1/setup`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return signedIn(service, cookieOf(response));
}

/** What has arrived on an open stream of events, which a browser follows at pics.example.org. */
async function eventsVia(proxy: string, cookie: string) {
  const sent = request(`${proxy}/api/v1/events`, { headers: { host: 'pics.example.org', cookie }, agent: false }).end();
  onTestFinished(() => void sent.destroy());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.on('error', () => undefined); // the test ends it
  return { text: () => text };
}

/** A browser's request to pics.example.org, as if DNS resolved it; curl, because fetch can't set Host. */
async function viaProxy(proxy: string, path: string, token?: string, image?: Buffer) {
  const boundary = 'a-boundary';
  const body =
    image &&
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`),
      image,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  const headers = {
    host: 'pics.example.org',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': body.length }),
  };
  return new Promise<{ status: number; text: string }>((resolve) => {
    const sent = request(`${proxy}${path}`, { method: body ? 'POST' : 'GET', headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('latin1') }));
    });
    sent.on('error', (error) => resolve({ status: 0, text: error.message }));
    sent.end(body);
  });
}
