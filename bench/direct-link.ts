// How fast a warm public direct link is, as a ratio to Express's res.sendFile serving the same bytes in the same run.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 5;
const SECONDS = 2;
const SIDES = { '10 KB': 58, '100 KB': 184, '1 MB': 590, '5 MB': 1320 };

const folder = mkdtempSync(join(tmpdir(), 'pixdock-bench-'));
const children: ChildProcess[] = [];
try {
  await main();
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const ours = await startService();
  const token = await createToken(ours);
  const peer = await startPeer();
  for (const [size, side] of Object.entries(SIDES)) {
    const bytes = await noise(side);
    writeFileSync(join(folder, 'files', `${side}.png`), bytes);
    const ourUrl = await upload(ours, token, bytes);
    const rates = { ours: [] as number[], peer: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      rates.ours.push(await load(ourUrl));
      rates.peer.push(await load(`${peer}/${side}.png`));
    }
    const [mine, theirs] = [median(rates.ours), median(rates.peer)];
    console.log(
      `${size.padEnd(7)} ${bytes.length} bytes: ${mine.toFixed(0)}/s, Express ${theirs.toFixed(0)}/s, ratio ${(mine / theirs).toFixed(2)}`,
    );
  }
}

/** Noise does not compress, so that the size follows from the side. */
function noise(side: number) {
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** Requests per second. wrk costs little itself; autocannon, where there is no wrk, is the bottleneck for large files. */
async function load(url: string): Promise<number> {
  const wrk = spawnSync('taskset', ['-c', '1', 'wrk', '-t1', '-c16', `-d${SECONDS}s`, url], { encoding: 'utf8' });
  if (wrk.error || wrk.status !== 0) return loadByAutocannon(url);
  if (/Non-2xx|Socket errors/.test(wrk.stdout)) throw new Error(`${url}: ${wrk.stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(wrk.stdout)?.[1]);
}

async function loadByAutocannon(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 16, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** One core for the servers, the other for the load, where the system can pin them. */
function onFirstCore(args: string[]): [string, string[]] {
  return process.platform === 'linux' ? ['taskset', ['-c', '0', process.execPath, ...args]] : [process.execPath, args];
}

function start(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [command, parameters] = onFirstCore(args);
  const child = spawn(command, parameters, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`ended: ${text}`)));
  });
}

function startService(): Promise<string> {
  return start([join(ROOT, 'dist/server/bin.js')], { PIXDOCK_PORT: '0', PIXDOCK_DATA_DIR: join(folder, 'data') });
}

async function startPeer(): Promise<string> {
  mkdirSync(join(folder, 'files'));
  const script = `const express = require('express'); const app = express(); app.get('/:name', (q, s) => s.sendFile(q.params.name, { root: ${JSON.stringify(join(folder, 'files'))} }));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  return start(['-e', script], { NODE_PATH: join(ROOT, 'node_modules') });
}

async function post(url: string, body: object, cookie = ''): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function createToken(url: string): Promise<string> {
  const account = await post(`${url}/api/v1/setup`, { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' });
  const cookie = account.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { data } = (await (await post(`${url}/api/v1/user/tokens`, { name: 'bench', scope: 'upload' }, cookie)).json()) as {
    data: { token: string };
  };
  return data.token;
}

async function upload(url: string, token: string, bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'noise.png');
  const response = await fetch(`${url}/api/v1/upload`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
  const { data } = (await response.json()) as { data: { links: { url: string } } };
  return data.links.url;
}
