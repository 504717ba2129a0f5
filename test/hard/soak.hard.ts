import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { plotLines } from '#test/helpers/pictures/plot.ts';
import { watchMemory } from '#test/helpers/programs/process-tree.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp } from '#test/helpers/service/service.ts';
import { Random, setting } from './random.ts';
import { descriptorsOf, expectSound, filesIn } from './subject.ts';

const DURATION_MS = setting('MINUTES') * 60_000;
/** Requests per second, from as many clients as it takes, each with one at a time. */
const RATE = 40;
const CLIENTS = 8;
/** Older pictures are deleted, so that the library, and what the service remembers of it, stays the same. */
const MAX_PICTURES = 200;
/** Each is measured separately; the first one, in which caches fill, isn't compared. */
const PHASES = 8;
/** Pictures of each import of a folder; there is one in every phase. */
const IMPORTED = 20;
const JSON_BODY = { 'content-type': 'application/json' };

const dataDir = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const service = await startChildService(dataDir);
const memory = watchMemory(service.pid);
afterAll(async () => {
  memory[Symbol.dispose]();
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

interface Phase {
  requests: number;
  p50: number;
  p99: number;
  memory: number;
  descriptors: number;
  /** Bytes in `tmp/`. */
  temporary: number;
}

it(`responds equally well to mixed load for ${setting('MINUTES')} minutes`, { timeout: DURATION_MS + 300_000 }, async () => {
  const random = new Random('soak');
  const owner = await setUp(service);
  const token = await owner.token('full');
  const authorization = `Bearer ${token}`;
  const pictures: { key: string; ext: string }[] = [];
  const faults: string[] = [];
  let number = 0;

  /** Sends a request; another status than the expected ones is a fault. */
  async function request(path: string, expected: readonly number[], init: RequestInit = {}): Promise<string> {
    const response = await fetch(`${service.url}${path}`, { ...init, headers: { authorization, connection: 'close', ...init.headers } });
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
    if (!expected.includes(response.status)) faults.push(`${init.method ?? 'GET'} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return text;
  }

  async function uploadOne() {
    const form = new FormData();
    const bytes = await photoJpeg({ width: 640, height: 480, seed: ++number, gps: true });
    form.append('file', new Blob([new Uint8Array(bytes)]), `${number}.jpg`);
    pictures.push(JSON.parse(await request('/api/v1/upload', [200], { method: 'POST', body: form })).data);
    if (pictures.length <= MAX_PICTURES) return;
    const keys = pictures.splice(0, 20).map(({ key }) => key);
    await request('/api/v1/images/batch', [200], { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ action: 'purge', keys }) });
  }

  const BAD: readonly (() => Promise<unknown>)[] = [
    () => request('/i/aaaaaaaaaaaa.jpg', [404]),
    () =>
      request('/api/v1/upload', [400], { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\n' }),
    () => request('/api/v1/upload', [415], { method: 'POST', body: 'text' }),
    () => request('/api/v1/images?limit=x', [400]),
    () => request('/api/v1/albums', [400], { method: 'POST', headers: JSON_BODY, body: '{"broken' }),
  ];

  /** Imports a folder with the command line, and deletes its pictures. */
  async function importFolder() {
    const home = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
    mkdirSync(join(home, 'in'));
    for (let picture = 0; picture < IMPORTED; picture++)
      writeFileSync(join(home, 'in', `${picture}.jpg`), await photoJpeg({ width: 640, height: 480, seed: ++number }));
    const imported = await runBuiltCli(home, ['import-dir', 'in', '--visibility', 'private'], {
      env: { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: token },
    });
    if (imported.code !== 0 || imported.stdout.trim().split('\n').length !== IMPORTED) faults.push(`import: ${imported.stderr}`);
    rmSync(home, { recursive: true });
    const body = JSON.stringify({ action: 'purge', query: { visibility: 'private' } });
    await request('/api/v1/images/batch', [200], { method: 'POST', headers: JSON_BODY, body });
  }

  /** Views 60 %, thumbnails 20 %, lists 14 %, uploads 5 %, bad input 1 %. */
  async function any() {
    const part = random.next();
    // A picture may be deleted before its request arrives.
    const { key, ext } = random.pick(pictures.slice(-MAX_PICTURES / 2));
    if (part < 0.6) await request(`/i/${key}.${ext}`, [200]);
    else if (part < 0.8) await request(`/t/${key}.jpg?w=${random.pick(THUMBNAIL_WIDTHS)}`, [200]);
    else if (part < 0.94)
      await request(random.pick(['/api/v1/images', '/api/v1/images/timeline', '/api/v1/albums', '/api/v1/images?q=1']), [200]);
    else if (part < 0.99) await uploadOne();
    else await random.pick(BAD)();
  }

  for (let left = MAX_PICTURES; left > 0; left--) await uploadOne();
  const phases: Phase[] = [];
  for (let phase = 0; phase < PHASES; phase++) {
    const [times] = await Promise.all([sendFor(DURATION_MS / PHASES, any), importFolder()]);
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    phases.push({
      requests: times.length,
      p50: at(0.5),
      p99: at(0.99),
      memory: Math.round(memory.now()),
      descriptors: descriptorsOf(service.pid),
      temporary: filesIn(dataDir, 'tmp').reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0),
    });
  }
  console.table(phases);
  if (process.env.PIXDOCK_HARD_PLOT) writeFileSync(process.env.PIXDOCK_HARD_PLOT, plotOf(phases));

  expect(faults).toEqual([]);
  // The best phase of each half: other programs of the computer slow down single phases.
  const best = (half: readonly Phase[], of: 'p99' | 'memory' | 'descriptors') => Math.min(...half.map((phase) => phase[of]));
  const [before, after] = [phases.slice(1, PHASES / 2), phases.slice(PHASES / 2)];
  expect(best(after, 'p99'), 'p99').toBeLessThan(2 * best(before, 'p99') + 100);
  expect(best(after, 'memory'), 'memory').toBeLessThan(1.25 * best(before, 'memory') + 20);
  expect(best(after, 'descriptors'), 'descriptors').toBeLessThan(best(before, 'descriptors') + 2 * CLIENTS);
  expect(filesIn(dataDir, 'tmp')).toEqual([]);
  expect(service.printed()).not.toMatch(/"level":[56]0/);
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the load');
});

/** Everything that must stay level, over time. */
function plotOf(phases: readonly Phase[]): string {
  const line = (name: string, of: Exclude<keyof Phase, 'requests'>, unit = 1) => ({
    name,
    points: phases.map((phase, index) => [((index + 1) * setting('MINUTES')) / PHASES, phase[of] / unit] as const),
  });
  const lines = [
    line('p50, ms', 'p50'),
    line('p99, ms', 'p99'),
    line('memory, MB', 'memory'),
    line('open files', 'descriptors'),
    line('tmp/, KB', 'temporary', 1000),
  ];
  return plotLines('Mixed load', { x: 'minutes', y: '' }, lines, 'linear');
}

/** Sends requests at the rate for a time; returns how many milliseconds each took. */
async function sendFor(milliseconds: number, send: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  const client = async (index: number) => {
    let next = performance.now() + (index * 1000) / RATE;
    while (next < end) {
      await wait(Math.max(0, next - performance.now()));
      const before = performance.now();
      await send();
      times.push(performance.now() - before);
      next = Math.max(next + (CLIENTS * 1000) / RATE, performance.now());
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return times;
}
