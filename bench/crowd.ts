// Measures how a user's uploads and the health check fare while a crowd of strangers does its worst: slow requests, guesses at a picture's
// password, animations that take a long time to decode, and thumbnails that don't exist yet. Every stranger has an address of their own in
// 127.0.0.0/8 (Linux).
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { openWorkshop } from './support/programs.ts';
import { photo, variant } from './support/samples.ts';
import { type BenchService, noise, startService } from './support/service.ts';

const SLOW_BODIES = 1_000;
const GUESSES = 400;
const BOMBS = 5;
const PICTURES = 250;
const THUMBNAILS_AT_ONCE = 200;
/** Milliseconds between two uploads, and between two health checks. */
const PAUSE_MS = 250;
const TARGETS = { uploadMs: 1_000, healthMs: 200, bytes: 600e6 };
/** The largest animation that a guest may upload. */
const BOMB = { side: 540, frames: 170 };

/** Every upload is a new file. */
let number = 0;

const { values } = parseArgs({ options: { dist: { type: 'string' } } });
await using workshop = openWorkshop();
await main();

async function main() {
  const service = await startService(workshop, { pin: false, ...(values.dist && { dist: values.dist }) });
  await admin(service, '/admin/settings', { guest_upload_enabled: true });
  const bytes = await (await photo(1600, 1200)).jpeg({ quality: 85 }).toBuffer();
  const keys: string[] = [];
  for (let i = 0; i < PICTURES; i++) keys.push((await service.upload(variant(bytes, i))).key);
  const locked = await service.upload(variant(bytes, PICTURES), { access_password: 'a long secret' });
  const [bomb, large] = await Promise.all([animation(), noise(258)]);

  const quiet = await watch(service, large, 3_000);
  const slow = openSlowBodies(new URL(service.url));
  const started = performance.now();
  const crowd = Promise.all([
    guess(service, locked.key),
    Promise.all(Array.from({ length: BOMBS }, () => upload(service.url, bomb, '127.3.0.1'))),
    loadThumbnails(service.url, keys),
  ]).finally(() => slow.stop());
  const busy = await watch(service, large, crowd);
  const [guesses, bombs, thumbnails] = await crowd;

  console.log(`crowd: ${((performance.now() - started) / 1000).toFixed(1)} s, ${service.cpuSeconds().toFixed(1)} s of CPU time in all`);
  console.log(
    `  guesses ${tally(guesses)}; animations ${tally(bombs)}; thumbnails ${tally(thumbnails)}; slow bodies ${tally(slow.statuses)}`,
  );
  for (const [name, { uploads, checks }] of Object.entries({ quiet, crowd: busy }))
    console.log(`${name}: upload of 200 KB ${spread(uploads)}; health check ${spread(checks)}`);
  console.log(`memory: at most ${(service.peakBytes() / 1e6).toFixed(0)} MB`);
  const isMet =
    percentile(busy.uploads, 95) < TARGETS.uploadMs &&
    percentile(busy.checks, 95) < TARGETS.healthMs &&
    service.peakBytes() < TARGETS.bytes;
  console.log(isMet ? 'targets met' : `targets missed: ${JSON.stringify(TARGETS)}`);
}

async function admin(service: BenchService, path: string, body: object) {
  const headers = { cookie: service.cookie, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}

/** Frames that compress to almost nothing. */
function animation(): Promise<Buffer> {
  const { side, frames } = BOMB;
  const pixels = Buffer.alloc(side * side * frames * 3, 0x80);
  // Frames that are alike would become one.
  for (let frame = 0; frame < frames; frame++)
    pixels.fill(frame & 255, (frame * side * side + frame * 500) * 3, (frame * side * side + (frame + 1) * 500) * 3);
  return sharp(pixels, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side }, limitInputPixels: false })
    .webp({ effort: 0, delay: 50 })
    .toBuffer();
}

/** Milliseconds that uploads and health checks take until `end`. */
async function watch(service: BenchService, file: Buffer, end: number | Promise<unknown>) {
  let ended = false;
  const stop = () => {
    ended = true;
  };
  void (typeof end === 'number' ? new Promise((resolve) => setTimeout(resolve, end)) : end).then(stop, stop);
  const repeat = async (action: () => Promise<unknown>) => {
    const times: number[] = [];
    while (!ended) {
      const from = performance.now();
      await action();
      times.push(performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return times;
  };
  const [uploads, checks] = await Promise.all([
    repeat(() => service.upload(variant(file, number++))),
    repeat(async () => {
      const response = await fetch(`${service.url}/healthz`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`health check: ${response.status}`);
    }),
  ]);
  return { uploads, checks };
}

/** Sign-ins that send a byte a second, from 20 addresses; those that are refused begin again. */
function openSlowBodies({ port, host }: URL) {
  const statuses: number[] = [];
  const sockets = new Set<Socket>();
  let stopped = false;
  const open = (index: number) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.2.0.${(index % 20) + 1}` });
    sockets.add(socket);
    const timer = setInterval(() => socket.write(' '), 1_000);
    socket.on('connect', () => {
      socket.write(`POST /api/v1/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`);
    });
    socket.on('data', (data) => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(String(data)) ?? [];
      if (status) statuses.push(Number(status));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
      if (!stopped) setTimeout(() => stopped || open(index), 1_000);
    });
  };
  for (let index = 0; index < SLOW_BODIES; index++) open(index);
  return {
    statuses,
    stop() {
      stopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function guess({ url }: BenchService, key: string): Promise<number[]> {
  const attempt = (index: number) =>
    send(`${url}/api/v1/s/${key}/unlock`, {
      method: 'POST',
      from: `127.1.${index >> 8}.${index & 255 || 1}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: `guess ${index}` }),
    });
  return Promise.all(Array.from({ length: GUESSES }, (_, index) => attempt(index)));
}

function upload(url: string, file: Buffer, from: string): Promise<number> {
  const boundary = 'crowd';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.webp"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return send(`${url}/api/v1/upload`, {
    method: 'POST',
    from,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
  });
}

/** Every width of every picture, by visitors from four addresses. */
async function loadThumbnails(url: string, keys: string[]): Promise<number[]> {
  const wanted = THUMBNAIL_WIDTHS.flatMap((width) => keys.map((key) => `${url}/t/${key}.jpg?w=${width}`));
  const statuses: number[] = [];
  const visit = async (from: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let link = wanted.pop(); link; link = wanted.pop()) statuses.push(await send(link, { from, agent }));
    agent.destroy();
  };
  await Promise.all(Array.from({ length: THUMBNAILS_AT_ONCE }, (_, index) => visit(`127.4.0.${(index % 4) + 1}`)));
  return statuses;
}

interface Sent {
  from: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  agent?: Agent;
}

/** Sends a request from a local address; resolves to the status, or to 0 when the connection breaks. */
function send(url: string, { from, method = 'GET', headers = {}, body, agent }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, agent: agent ?? false, localAddress: from, headers: { ...headers, ...length } }, (response) => {
      response.on('close', () => resolve(response.statusCode ?? 0)).resume();
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

/** How often each status came: `401 × 100, 429 × 300`. */
function tally(statuses: number[]): string {
  const counts = Map.groupBy(statuses, (status) => status);
  return [...counts].map(([status, all]) => `${status} × ${all.length}`).join(', ') || 'none';
}

function percentile(values: number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] as number;
}

function spread(values: number[]): string {
  return `p50 ${percentile(values, 50).toFixed(0)} ms, p95 ${percentile(values, 95).toFixed(0)} ms (${values.length})`;
}
