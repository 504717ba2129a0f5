// Measures how the service's responses slow down as a library grows to a million pictures, and draws a plot of it.
// `--sizes 1000,100000` measures others, `--plot <file>` sets where the plot goes, `--data <folder>` keeps the filled data folders
// for later runs.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plotLines } from '../test/helpers/pictures/plot.ts';
import { repeatPictures } from './support/library.ts';
import { median } from './support/load.ts';
import { openWorkshop, type Workshop } from './support/programs.ts';
import { type BenchService, noise, post, startService } from './support/service.ts';
import { timeStart } from './support/start.ts';

const { sizes, plot, data } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    plot: { type: 'string', default: join(import.meta.dirname, 'growth.svg') },
    data: { type: 'string' },
  },
}).values;

const ROUNDS = 15;
/** Ends the names of rows that are allowed to take as much longer as the library is larger. */
const READS_ALL = '(reads all)';
const STARTS = 5;
/** Until each job has run once after a start. */
const FIRST_JOBS_MS = 20_000;
/** A third of the pictures is in one album, the rest without one; there are more albums with few. */
const ALBUMS = 60;
const WORDS = ['harbour', 'invoice', 'meadow', 'release', 'sketch', 'station', 'terrace', 'whiteboard', 'window', 'winter'];
/** Pictures that change at once, with a search following. */
const CHANGED = 100;

/** Milliseconds by what was measured. */
type Figures = Map<string, number>;

const figures = new Map<number, Figures>();
for (const size of sizes.split(',').map(Number)) {
  await using workshop = openWorkshop(data && join(data, String(size)));
  figures.set(size, await measure(workshop, size));
}
report();

async function measure(workshop: Workshop, size: number): Promise<Figures> {
  const service = await startService(workshop, { pin: false });
  const found: Figures = new Map();
  const albums = await createAlbums(service);
  await seed(service, workshop, size, albums);
  const get = (path: string) => () => request(service, path);
  const keys = await keysOf(service);
  const rows: [string, () => Promise<unknown>][] = [
    ['list of 100', get('/api/v1/images?limit=100')],
    ['one word', get('/api/v1/images?limit=100&q=harbour')],
    ['two words', get('/api/v1/images?limit=100&q=winter%20terrace')],
    ['direct link', get(`/i/${keys[0]}.png`)],
    ['list of albums', get('/api/v1/albums')],
    ['album with a third', get(`/api/v1/albums/${albums[0]}`)],
    ['its pictures', get(`/api/v1/images?limit=100&album_id=${albums[0]}`)],
    ['its public page', get(`/api/v1/a/${albums[0]}`)],
    ['upload of 200 KB', async () => service.upload(await noise(260))],
    [`search after ${CHANGED} changes`, () => changeAndSearch(service, keys)],
    ['statistics (reads all)', get('/api/v1/admin/stats')],
    ['timeline (reads all)', get('/api/v1/images/timeline?time_zone=Europe%2FBerlin')],
    ['timeline of a word (reads all)', get('/api/v1/images/timeline?time_zone=Europe%2FBerlin&q=harbour')],
  ];
  for (const [name, run] of rows) found.set(name, await timeOf(run, name.endsWith(READS_ALL) ? 3 : ROUNDS));
  found.set('backup (reads all)', await timeOf(() => post(service.url, '/admin/backup', {}, service.cookie), 1));
  console.log(`${size} pictures: ${Math.round(service.currentBytes() / 1e6)} MB of memory afterwards`);
  await service.stop();
  rmSync(join(workshop.folder, 'data/backups'), { recursive: true, force: true });
  found.set('start', await startTime(workshop));
  await jobsTime(workshop, service.cookie); // finishes what the uploads left to the jobs
  found.set('all jobs', await jobsTime(workshop, service.cookie));
  for (const [name, milliseconds] of found) console.log(`${size} pictures: ${name}: ${milliseconds.toFixed(1)} ms`);
  return found;
}

async function createAlbums(service: BenchService): Promise<string[]> {
  const known = JSON.parse(await request(service, '/api/v1/albums?limit=100')).data as { items: { id: string }[] };
  const ids = known.items.map(({ id }) => id).reverse(); // oldest first
  for (let number = ids.length; number < ALBUMS; number++) {
    const response = await post(service.url, '/albums', { name: `Album ${number}`, visibility: 'public' }, service.cookie);
    ids.push(((await response.json()) as { data: { id: string } }).data.id);
  }
  return ids;
}

async function seed(service: BenchService, workshop: Workshop, size: number, albums: readonly string[]) {
  for (let number = 0; number < 20; number++) await service.upload(await noise(60));
  await repeatPictures(join(workshop.folder, 'data/pixdock.db'), size, (index) => ({
    name: `${WORDS[index % WORDS.length]} ${WORDS[(index * 7 + 3) % WORDS.length]} ${index}.png`,
    album_id: index % 3 === 0 ? albums[0] : index % 300 === 1 ? albums[1 + (index % (albums.length - 1))] : null,
  }));
}

async function keysOf(service: BenchService): Promise<string[]> {
  const { items } = JSON.parse(await request(service, `/api/v1/images?limit=${CHANGED}`)).data as { items: { key: string }[] };
  return items.map(({ key }) => key);
}

async function request({ url, cookie }: Pick<BenchService, 'url' | 'cookie'>, path: string): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers: { cookie } });
  const bytes = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return Buffer.from(bytes).toString('utf8');
}

/** Tags pictures in one batch, and searches at once. */
async function changeAndSearch(service: BenchService, keys: readonly string[]): Promise<void> {
  const tag = `t${randomUUID().slice(0, 8)}`;
  await post(service.url, '/images/batch', { action: 'tag', keys, tags: [tag] }, service.cookie);
  await request(service, `/api/v1/images?limit=100&q=${tag}`);
}

async function timeOf(run: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  // The first round is a warm-up.
  for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
    const before = performance.now();
    await run();
    if (round > 0) times.push(performance.now() - before);
  }
  return median(times);
}

/** Milliseconds from starting the process to its first response. */
async function startTime(workshop: Workshop): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const { server, seconds } = await timeStart(workshop);
    times.push(seconds * 1000);
    await server.stop();
  }
  return median(times);
}

/** Milliseconds that the background jobs take, each of them once, with nothing to do. */
async function jobsTime(workshop: Workshop, cookie: string): Promise<number> {
  const { server } = await timeStart(workshop);
  await new Promise((resolve) => setTimeout(resolve, FIRST_JOBS_MS));
  const metrics = await request({ url: server.url, cookie }, '/api/v1/admin/metrics');
  console.log(`${Math.round(server.currentBytes() / 1e6)} MB of memory after the first jobs`);
  await server.stop();
  const valuesOf = (name: string) =>
    [...metrics.matchAll(new RegExp(`^pixdock_job_duration_seconds_${name}\\{.*?job="([^"]+)".*\\} (\\S+)$`, 'gm'))].map(
      ([, job, value]) => [job as string, Number(value)] as const,
    );
  const runs = new Map(valuesOf('count'));
  const times = valuesOf('sum').map(([job, seconds]) => ({ job, ms: (seconds * 1000) / (runs.get(job) ?? 1) }));
  console.log(times.map(({ job, ms }) => `${job}: ${ms.toFixed(1)} ms`).join(', '));
  return times.reduce((sum, { ms }) => sum + ms, 0);
}

function report() {
  const names = [...(figures.values().next().value?.keys() ?? [])];
  console.table(
    Object.fromEntries(
      names.map((name) => [name, Object.fromEntries([...figures].map(([size, of]) => [size, Number(of.get(name)?.toFixed(1))]))]),
    ),
  );
  if (figures.size < 2) return;
  const lines = names.map((name) => ({ name, points: [...figures].map(([size, of]) => [size, of.get(name) ?? 0] as const) }));
  writeFileSync(plot, plotLines('Time by size of the library', { x: 'pictures', y: 'milliseconds' }, lines, 'log'));
  console.log(`Plot: ${plot}`);
}
