// Measures what the recognition of text costs a service: the time, processor time and memory for a library of screenshots, and how much longer
// uploads take while it runs. The peer is the same service without recognition. `node bench/recognition.ts [pictures]`
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright';
import { CHROMIUM_ARGUMENTS } from '../test/helpers/programs/chromium.ts';
import { openWorkshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { photo, variant } from './support/samples.ts';
import { screenshots } from './support/screenshots.ts';
import { type BenchService, startService } from './support/service.ts';

const PICTURES = Number(process.argv[2] ?? 500);
/** Each with and without recognition in turn. */
const ROUNDS = 8;
const UPLOADS = 40;
/** As fast as a person who shares screenshots. */
const PAUSE_MS = 150;
/** Looking reads the memory of every process, which takes a while. */
const POLL_MS = 5_000;

await using workshop = openWorkshop();
const service = await startService(workshop, { pin: false });
const pictures = await render();
for (let index = 0; index < PICTURES; index++)
  await service.upload(variant(pictures[index % pictures.length] as Buffer, 1 + Math.floor(index / pictures.length)));
const photos = await Promise.all([640, 720, 800].map(async (width) => (await photo(width, 500)).jpeg({ quality: 92 }).toBuffer()));
let uploaded = 0;

await measureUploads();
await measureLibrary();

async function render(): Promise<Buffer[]> {
  await using browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: CHROMIUM_ARGUMENTS,
  });
  const rendered: Buffer[] = [];
  for await (const { png } of screenshots(browser)) rendered.push(png);
  return rendered;
}

/** While screenshots wait, so that recognition has something to do in every round. */
async function measureUploads() {
  const times: Record<'on' | 'off', number[]> = { on: [], off: [] };
  // The first round is a warm-up, in which the placeholders of the screenshots are made, too.
  for (let round = 0; round <= ROUNDS; round++)
    for (const state of ['off', 'on'] as const) {
      await setRecognition(service, state === 'on');
      // The job looks every few seconds.
      await sleep(6_000);
      for (let index = 0; index < UPLOADS; index++) {
        const start = performance.now();
        await service.upload(variant(photos[index % photos.length] as Buffer, ++uploaded));
        if (round > 0) times[state].push(performance.now() - start);
        await sleep(PAUSE_MS);
      }
    }
  const at = (state: 'on' | 'off', share: number) =>
    times[state].toSorted((a, b) => a - b)[Math.floor(times[state].length * share)] as number;
  for (const [name, share] of [
    ['p50', 0.5],
    ['p90', 0.9],
    ['p95', 0.95],
  ] as const)
    console.log(`${name} of uploads: ${at('off', share).toFixed(1)} ms without, ${at('on', share).toFixed(1)} ms with recognition`);
  const value = at('on', 0.95) / at('off', 0.95);
  record({ row: 'p95 of uploads with recognition', value, values: [value], unit: 'x', target: 1.2, better: 'less' });
}

async function measureLibrary() {
  await setRecognition(service, true);
  const begin = { time: performance.now(), cpu: service.cpuSeconds(), waiting: await waiting(service) };
  let memory = 0;
  while ((await waiting(service)) > 0) {
    memory = Math.max(memory, service.currentBytes());
    await sleep(POLL_MS);
  }
  const [seconds, cpu] = [(performance.now() - begin.time) / 1000, service.cpuSeconds() - begin.cpu];
  record({ row: `${begin.waiting} pictures`, value: seconds, values: [seconds], unit: 's', better: 'less' });
  record({ row: 'processor time', value: cpu, values: [cpu], unit: 's', better: 'less' });
  record({ row: 'memory of all processes', value: memory / 1e6, values: [memory / 1e6], unit: 'MB', better: 'less' });
}

async function call(target: BenchService, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${target.url}/api/v1${path}`, {
    method,
    headers: { cookie: target.cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}

async function setRecognition(target: BenchService, ocr_enabled: boolean) {
  await call(target, 'PATCH', '/admin/settings', { ocr_enabled });
}

async function waiting(target: BenchService): Promise<number> {
  return ((await call(target, 'GET', '/admin/text')) as { waiting: number }).waiting;
}
