// Measures the playback of a video of 100 MB, in ranges as players ask for them, as ratios to nginx and a static server on node:http, which send the
// same bytes in the same run: how many bytes the server sends per second of its CPU time (Linux). `node bench/video.ts`
// With `--beside`, how long others wait for pictures while a video of 490 MB is uploaded and played, and the memory that this takes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { largeVideo } from '../test/helpers/pictures/videos.ts';
import { median, pinned } from './support/load.ts';
import { startNginx } from './support/peers.ts';
import { openWorkshop, type Server, untilIdle, type Workshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { noise, startService } from './support/service.ts';

const ROUNDS = 5;
const MEBIBYTES = 100;
/** Viewers that play the video at once, and how often each plays it in a round. */
const VIEWERS = 4;
const TIMES = 5;
const RANGE_BYTES = 2 ** 20;
const FILE = 'video.mp4';
/** The largest video that a new installation takes. */
const LARGEST_MEBIBYTES = 490;
const PICTURES_PER_SECOND = 20;

const agent = new Agent({ keepAlive: true, maxSockets: VIEWERS });

await using workshop = openWorkshop();
await (process.argv.includes('--beside') ? beside() : main());
agent.destroy();

async function main() {
  const files = join(workshop.folder, 'files');
  mkdirSync(files);
  const service = await startService(workshop);
  const { url } = await service.upload(await largeVideo(MEBIBYTES));
  const served = Buffer.from(await (await fetch(url)).arrayBuffer());
  writeFileSync(join(files, FILE), served);
  const nginx = await startNginx(workshop, files);
  const node = await startRanges(workshop, files);
  const players: [string, Server, string][] = [
    ['Pixdock', service, url],
    ['node:http', node, `${node.url}/${FILE}`],
  ];
  if (nginx) players.push(['nginx', nginx, `${nginx.url}/${FILE}`]);
  const rates = new Map(players.map(([name]) => [name, [] as number[]]));
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, server, address] of players) {
      await untilIdle(server);
      const before = server.cpuSeconds();
      await Promise.all(Array.from({ length: VIEWERS }, () => play(address, served.length)));
      if (round > 0) rates.get(name)?.push((VIEWERS * TIMES * served.length) / (server.cpuSeconds() - before));
    }
  }
  const ours = rates.get('Pixdock') ?? [];
  for (const [name, theirs] of rates) {
    console.log(`${name}: ${(median(theirs) / 1e9).toFixed(2)} GB per second of CPU time`);
    if (name === 'Pixdock') continue;
    const values = ours.map((rate, round) => rate / (theirs[round] as number));
    record({ row: `playback in ranges of 1 MiB vs. ${name}, CPU time`, value: median(values), values, unit: 'x', better: 'more' });
  }
}

async function beside() {
  const service = await startService(workshop, { pin: false });
  const { url } = await service.upload(await noise(400));
  const report = (what: string, waits: readonly number[]) => {
    const p95 = [...waits].sort((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? 0;
    console.log(`${what}: ${waits.length} pictures, p95 ${p95.toFixed(0)} ms; ${(service.currentBytes() / 1e6).toFixed(0)} MB`);
  };
  await askFor(url, sleep(2_000)); // a warm-up
  report('alone', await askFor(url, sleep(10_000)));
  const large = await largeVideo(LARGEST_MEBIBYTES);
  const uploading = service.upload(large);
  report(`while ${(large.length / 1e6).toFixed(0)} MB are uploaded`, await askFor(url, uploading));
  const video = (await uploading).url;
  const size = Number((await fetch(video, { method: 'HEAD' })).headers.get('content-length'));
  report('while two play it', await askFor(url, Promise.all([play(video, size, 1), play(video, size, 1)])));
  console.log(`at most ${(service.peakBytes() / 1e6).toFixed(0)} MB, decoders included`);
}

/** Asks for a picture at a steady rate until something has ended; resolves to the milliseconds that each took. */
async function askFor(url: string, until: Promise<unknown>): Promise<number[]> {
  const waits: Promise<number>[] = [];
  const timer = setInterval(() => {
    const start = performance.now();
    waits.push(
      fetch(url)
        .then((response) => response.arrayBuffer())
        .then(() => performance.now() - start),
    );
  }, 1_000 / PICTURES_PER_SECOND);
  await until.finally(() => clearInterval(timer));
  return Promise.all(waits);
}

/** Reads a video in one range after the other. */
async function play(address: string, size: number, times = TIMES): Promise<void> {
  for (let time = 0; time < times; time++)
    for (let from = 0; from < size; from += RANGE_BYTES) await range(address, from, Math.min(size, from + RANGE_BYTES) - 1);
}

function range(address: string, from: number, to: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: { range: `bytes=${from}-${to}` } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode === 206 && bytes === to - from + 1) resolve();
        else reject(new Error(`${address}: ${response.statusCode}, ${bytes} bytes`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Node's own server, which streams parts of files with the fewest headers. */
function startRanges(shop: Workshop, files: string): Promise<Server> {
  const script = `const { createReadStream, statSync } = require('node:fs');
const server = require('node:http').createServer((request, response) => {
  const path = ${JSON.stringify(files)} + request.url;
  const { size } = statSync(path);
  const [, start, end] = /bytes=(\\d+)-(\\d+)/.exec(request.headers.range).map(Number);
  response.writeHead(206, ['Content-Type', 'video/mp4', 'Content-Range', 'bytes ' + start + '-' + end + '/' + size, 'Content-Length', String(end - start + 1)]);
  createReadStream(path, { start, end }).pipe(response);
});
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  return shop.start(pinned(0, process.execPath, ['-e', script]));
}
