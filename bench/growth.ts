// Measures how the service's responses slow down as a library grows to a million pictures, and draws a plot of it.
// `--sizes 1000,100000` measures others, `--plot <file>` sets where the plot goes, `--data <folder>` keeps the filled data folders
// for later runs. `--before <dist>` measures another build in turns, on the same pictures: it fills the library, a copy of which is migrated.
// `--texts` measures the same library in turns without recognised texts and with one in every fourth picture, `--team` without and with
// 48 colleagues, 10,000 sendings, and 30 albums for everyone.
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plotLines } from '../test/helpers/pictures/plot.ts';
import { addTeam, addTexts, addToAlbum, IN_TEXTS, repeatPictures } from './support/library.ts';
import { median } from './support/load.ts';
import { openWorkshop, type Workshop } from './support/programs.ts';
import { type BenchService, noise, post, startService } from './support/service.ts';
import { timeStart } from './support/start.ts';

const {
  sizes,
  plot,
  data,
  before,
  texts,
  team,
  rounds: asked,
} = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    plot: { type: 'string', default: join(import.meta.dirname, 'growth.svg') },
    data: { type: 'string' },
    before: { type: 'string' },
    texts: { type: 'boolean', default: false },
    team: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
  },
}).values;

const ROUNDS = Number(asked);
/** Ends the names of rows that are allowed to take as much longer as the library is larger. */
const READS_ALL = '(reads all)';
const STARTS = 5;
/** Until each job has run once after a start. */
const FIRST_JOBS_MS = 20_000;
/** A third of the pictures is in one album, and a tenth in a second one as well; there are more albums with few. */
const ALBUMS = 60;
const IN_SECOND = 3 / 10;
const WORDS = ['harbour', 'invoice', 'meadow', 'release', 'sketch', 'station', 'terrace', 'whiteboard', 'window', 'winter'];
/** Pictures that change at once, with a search following. */
const CHANGED = 100;

/** The pictures whose texts are recognised. */
const WITH_TEXT = 1 / 4;
const READER = { username: 'reader', email: 'reader@example.org', password: 'a password of the bench' };
const TEAM = { reader: READER.username, sendings: 10_000, albums: 30 };
const comparesTwo = before !== undefined || texts || team;
/** What each library is compared with. */
const FORMER = before !== undefined ? 'before' : team ? 'without a team' : 'without texts';

/** A library, and the build that serves it; undefined: that of this folder. */
interface Library {
  workshop: Workshop;
  dist: string | undefined;
}

interface Figure {
  /** Median, in milliseconds. */
  wall: number;
  /** Milliseconds of the service's CPU time, on average; undefined where it isn't measured. */
  cpu?: number;
}

/** By what was measured. */
type Figures = Map<string, Figure>;

const figures = new Map<string, Figures>();
for (const size of sizes.split(',').map(Number)) {
  await using workshop = openWorkshop(data && join(data, String(size)));
  if (!comparesTwo) {
    await fill({ workshop, dist: undefined }, size);
    await fillSecondAlbum({ workshop, dist: undefined }, size);
    const [found] = await measure([{ workshop, dist: undefined }], size);
    figures.set(String(size), found as Figures);
  } else {
    await using earlier = openWorkshop(`${workshop.folder}-before`);
    await fill({ workshop: earlier, dist: before }, size);
    if (!existsSync(join(workshop.folder, 'data')))
      cpSync(join(earlier.folder, 'data'), join(workshop.folder, 'data'), { recursive: true });
    await fillSecondAlbum({ workshop, dist: undefined }, size);
    if (team) await fillTeam(workshop);
    if (texts) await fillTexts(workshop, Math.floor(size * WITH_TEXT));
    const both = [
      { workshop: earlier, dist: before },
      { workshop, dist: undefined },
    ];
    const [former, found] = await measure(both, size);
    figures.set(`${size}, ${FORMER}`, former as Figures).set(String(size), found as Figures);
    if (!data) rmSync(earlier.folder, { recursive: true, force: true });
  }
}
report();

async function fill({ workshop, dist }: Library, size: number): Promise<void> {
  const service = await startService(workshop, { pin: false, dist });
  await seed(service, workshop, size, await createAlbums(service));
  if (team) await post(service.url, '/admin/users', READER, service.cookie).catch(() => undefined); // kept from an earlier run
  await service.stop();
}

/** Adds to the second album what the first one has had and the search index has found. */
async function fillSecondAlbum({ workshop, dist }: Library, size: number): Promise<void> {
  const service = await startService(workshop, { pin: false, dist });
  const [first = '', second = ''] = await createAlbums(service);
  await addToAlbum(join(workshop.folder, 'data/pixdock.db'), { from: first, to: second, count: Math.floor((size / 3) * IN_SECOND) });
  await service.stop();
}

async function fillTexts(workshop: Workshop, count: number): Promise<void> {
  const service = await startService(workshop, { pin: false });
  await addTexts(join(workshop.folder, 'data/pixdock.db'), count);
  await service.stop();
}

async function fillTeam(workshop: Workshop): Promise<void> {
  const service = await startService(workshop, { pin: false });
  const { users } = JSON.parse(await request(service, '/api/v1/team')).data as { users: unknown[] };
  if (users.length <= 2) await addTeam(join(workshop.folder, 'data/pixdock.db'), TEAM);
  await service.stop();
}

/** Measures libraries in turns, so that whatever else the computer does slows all of them down. */
async function measure(libraries: readonly Library[], size: number): Promise<Figures[]> {
  const services = await Promise.all(libraries.map(({ workshop, dist }) => startService(workshop, { pin: false, dist })));
  await new Promise((resolve) => setTimeout(resolve, FIRST_JOBS_MS));
  const found: Figures[] = libraries.map(() => new Map());
  const note = (name: string, of: readonly Figure[]) => {
    for (const [index, figure] of of.entries()) {
      found[index]?.set(name, figure);
      console.log(
        `${size} pictures: ${name}: ${figure.wall.toFixed(1)} ms${figure.cpu ? `, ${figure.cpu.toFixed(1)} ms of CPU time` : ''}`,
      );
    }
  };
  const rows = await Promise.all(services.map(rowsOf));
  for (const name of rows[0]?.keys() ?? []) {
    const turns = services.map((service, index) => ({ service, run: rows[index]?.get(name) as () => Promise<unknown> }));
    note(name, await timeInTurns(turns, name.endsWith(READS_ALL) ? Math.ceil(ROUNDS / 5) : ROUNDS));
  }
  const backups = services.map((service) => ({ service, run: () => post(service.url, '/admin/backup', {}, service.cookie) }));
  note('backup (reads all)', await timeInTurns(backups, Math.ceil(ROUNDS / 15)));
  for (const [index, { workshop }] of libraries.entries()) {
    const service = services[index] as BenchService;
    console.log(`${size} pictures: ${Math.round(service.currentBytes() / 1e6)} MB of memory afterwards`);
    await service.stop();
    rmSync(join(workshop.folder, 'data/backups'), { recursive: true, force: true });
  }
  note('start', await startTimes(libraries));
  const jobs: Figure[] = [];
  for (const [index, library] of libraries.entries()) {
    const { cookie } = services[index] as BenchService;
    await jobsTime(library, cookie); // finishes what the uploads left to the jobs
    jobs.push({ wall: await jobsTime(library, cookie) });
  }
  note('all jobs', jobs);
  return found;
}

async function rowsOf(service: BenchService): Promise<Map<string, () => Promise<unknown>>> {
  const get = (path: string) => () => request(service, path);
  const [album] = await createAlbums(service);
  const keys = await keysOf(service);
  return new Map<string, () => Promise<unknown>>([
    ...(team ? await rowsOfTeam(service, keys) : []),
    ['list of 100', get('/api/v1/images?limit=100')],
    ['one word', get('/api/v1/images?limit=100&q=harbour')],
    ['two words', get('/api/v1/images?limit=100&q=winter%20terrace')],
    ['a word in pictures', get(`/api/v1/images?limit=100&q=${IN_TEXTS}`)],
    ['a month', get(`/api/v1/images?limit=100&q=${new Date().getFullYear() - 2}-05`)],
    ['direct link', get(`/i/${keys[0]}.png`)],
    ['list of albums', get('/api/v1/albums')],
    ['album with a third', get(`/api/v1/albums/${album}`)],
    ['its pictures', get(`/api/v1/images?limit=100&album_id=${album}`)],
    ['its public page', get(`/api/v1/a/${album}`)],
    ['upload of 200 KB', async () => service.upload(await noise(260))],
    [`search after ${CHANGED} changes`, () => changeAndSearch(service, keys)],
    ['statistics (reads all)', get('/api/v1/admin/stats')],
    ['timeline (reads all)', get('/api/v1/images/timeline?time_zone=Europe%2FBerlin')],
    ['timeline of a word (reads all)', get('/api/v1/images/timeline?time_zone=Europe%2FBerlin&q=harbour')],
  ]);
}

/** What a member of the team reads, and the owner of what they have sent. */
async function rowsOfTeam(service: BenchService, keys: readonly string[]) {
  const response = await post(service.url, '/auth/login', { login: READER.username, password: READER.password });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const read = (path: string) => () => request({ url: service.url, cookie }, path);
  const { items } = JSON.parse(await read('/api/v1/sent?box=in&limit=20')()).data as { items: { items: { key: string }[] }[] };
  const [sent = ''] = items.flatMap((entry) => entry.items.map(({ key }) => key));
  const since = new Date(Date.now() - 86_400_000).toISOString();
  return [
    ['what was sent to a member', read('/api/v1/sent?box=in&limit=20')],
    ['how much of it is unseen', read('/api/v1/sent?box=in&limit=0')],
    ['what the owner has sent', () => request(service, '/api/v1/sent?box=out&limit=20')],
    ['a private picture that was sent', read(`/t/${sent || keys[0]}.webp`)],
    ['albums of others', read('/api/v1/albums?shared=true&limit=100')],
    ['what is new in them', read(`/api/v1/team/new?since=${since}`)],
    ['the team', read('/api/v1/team')],
  ] as const;
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

async function timeInTurns(turns: readonly { service: BenchService; run: () => Promise<unknown> }[], rounds: number): Promise<Figure[]> {
  const times = turns.map(() => [] as number[]);
  const cpu = turns.map(() => 0);
  // The first round is a warm-up.
  for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++)
    for (const [index, { service, run }] of turns.entries()) {
      const [started, used] = [performance.now(), service.cpuSeconds()];
      await run();
      if (round === 0) continue;
      times[index]?.push(performance.now() - started);
      cpu[index] = (cpu[index] ?? 0) + service.cpuSeconds() - used;
    }
  return times.map((some, index) => ({ wall: median(some), cpu: ((cpu[index] ?? 0) * 1000) / rounds }));
}

/** From starting the process to its first response. */
async function startTimes(libraries: readonly Library[]): Promise<Figure[]> {
  const starts = libraries.map(() => ({ times: [] as number[], cpu: [] as number[] }));
  for (let round = 0; round < STARTS; round++)
    for (const [index, { workshop, dist }] of libraries.entries()) {
      const { server, seconds, cpuSeconds } = await timeStart(workshop, dist);
      starts[index]?.times.push(seconds * 1000);
      starts[index]?.cpu.push(cpuSeconds * 1000);
      await server.stop();
    }
  return starts.map(({ times, cpu }) => ({ wall: median(times), cpu: median(cpu) }));
}

/** Milliseconds that the background jobs take, each of them once, with nothing to do. */
async function jobsTime({ workshop, dist }: Library, cookie: string): Promise<number> {
  const { server } = await timeStart(workshop, dist);
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
  const shown = (value: number | undefined) => value && Number(value.toFixed(1));
  console.table(
    Object.fromEntries(
      names.map((name) => [name, Object.fromEntries([...figures].map(([library, of]) => [library, shown(of.get(name)?.wall)]))]),
    ),
  );
  if (comparesTwo) return compare(names);
  if (figures.size < 2) return;
  const lines = names.map((name) => ({ name, points: [...figures].map(([size, of]) => [Number(size), of.get(name)?.wall ?? 0] as const) }));
  writeFileSync(plot, plotLines('Time by size of the library', { x: 'pictures', y: 'milliseconds' }, lines, 'log'));
  console.log(`Plot: ${plot}`);
}

/** Prints the ratios to the other build. */
function compare(names: readonly string[]) {
  for (const size of sizes.split(',')) {
    const [former, now] = [figures.get(`${size}, ${FORMER}`), figures.get(size)];
    const ratio = (name: string, of: keyof Figure) => ((now?.get(name)?.[of] ?? 0) / (former?.get(name)?.[of] || Number.NaN)).toFixed(2);
    console.table(Object.fromEntries(names.map((name) => [name, { time: ratio(name, 'wall'), cpu: ratio(name, 'cpu') }])));
  }
}
