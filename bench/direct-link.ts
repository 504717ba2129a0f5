// Measures direct links as ratios to nginx, Express's res.sendFile and bare node:http, which serve the same bytes in the same run.
// `node bench/direct-link.ts [part of a row's name]… [--profile]`
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, median, type Round, requireResponses, requireWrk, type Target } from './support/load.ts';
import { startExpress, startNginx, startNode } from './support/peers.ts';
import { hasProgram, openWorkshop, type Server } from './support/programs.ts';
import { record } from './support/results.ts';
import { type BenchService, noise, startService } from './support/service.ts';

const ROUNDS = 5;
const SECONDS = 2;
/** Until what is used often has been compiled. */
const WARM_UP_REQUESTS = 10_000;
const SIDES = { '10 KB': 58, '100 KB': 184, '1 MB': 590, '5 MB': 1320 };
/** Twice the cache for small files, requested in turn: each is evicted before its next turn. */
const BEYOND_MEMORY_BYTES = 128 * 1024 * 1024;

/** A cookie of no meaning: its sender may be someone, so the application handles the request (decision 089). */
const BY_ROUTE = { cookie: 'theme=dark' };

type Peer = 'nginx' | 'node:http' | 'Express' | 'own route' | 'own public';

/** How fast we should be, as a ratio to each. */
const TARGETS: Partial<Record<Peer, Record<string, number>>> = {
  nginx: { 'public 10 KB': 0.5, 'public 100 KB': 0.55, 'public 1 MB': 0.85, 'public 5 MB': 0.85, '304 of 100 KB': 0.6 },
  'node:http': { 'public 10 KB': 0.75, '304 of 100 KB': 0.75 },
  Express: {
    ...{ 'public 10 KB': 4, 'public 100 KB': 4, 'public 1 MB': 7, 'public 5 MB': 6 },
    ...{ 'beyond memory 1 MB': 3, 'beyond memory 5 MB': 3 },
  },
  'own public': { 'private 100 KB': 0.4, 'password 100 KB': 0.4, 'view-limited 100 KB': 0.4 },
};

/** The same work, done by Pixdock and by others. */
interface Row {
  name: string;
  ours: Target;
  peers: Partial<Record<Peer, Target>>;
}

await using workshop = openWorkshop();
await main(process.argv.slice(2).filter((argument) => !argument.startsWith('--')));

async function main(wanted: string[]) {
  requireWrk();
  if (!hasProgram('taskset'))
    console.log('taskset is not here: servers and load share their cores, so that the ratios are too good for the slower one.');
  const files = join(workshop.folder, 'files');
  mkdirSync(files);
  const service = await startService(workshop, {
    nodeOptions: process.argv.includes('--profile') ? ['--cpu-prof', '--cpu-prof-dir=profile'] : [],
  });
  const peers = {
    nginx: await startNginx(workshop, files),
    node: await startNode(workshop, files),
    Express: await startExpress(workshop, files),
  };
  if (!peers.nginx) console.log("nginx isn't installed, so the rows have no ratio to it.");
  for (const [name, makeRow] of Object.entries(rows(service, files, peers))) {
    if (wanted.length === 0 || wanted.some((part) => name.includes(part))) await measure({ name, ...(await makeRow()) });
  }
}

interface Peers {
  nginx: Server | undefined;
  node: Server;
  Express: Server;
}

function rows(service: BenchService, files: string, { nginx, node, Express }: Peers) {
  const made: Record<string, () => Promise<Omit<Row, 'name'>>> = {};
  const peersOf = (names: string[]): Row['peers'] => ({
    ...(nginx && { nginx: filesOf(nginx, names) }),
    'node:http': filesOf(node, names),
    Express: filesOf(Express, names),
  });
  async function everywhere(side: number, count: number): Promise<Omit<Row, 'name'>> {
    const images = await Promise.all(Array.from({ length: count }, () => publish(service, files, side)));
    const ours = { server: service, urls: images.map(({ url }) => url) };
    return { ours, peers: { ...peersOf(images.map(({ name }) => name)), 'own route': { ...ours, headers: BY_ROUTE } } };
  }
  for (const [size, side] of Object.entries(SIDES)) made[`public ${size}`] = () => everywhere(side, 1);
  for (const size of ['1 MB', '5 MB'] as const) {
    const count = Math.ceil(BEYOND_MEMORY_BYTES / (3 * SIDES[size] ** 2));
    made[`beyond memory ${size}`] = () => everywhere(SIDES[size], count);
  }
  made['304 of 100 KB'] = async () => {
    const { ours, peers } = await everywhere(SIDES['100 KB'], 1);
    const asked: Row['peers'] = {};
    for (const who of ['nginx', 'node:http', 'own route'] as const) if (peers[who]) asked[who] = await revalidating(peers[who]);
    return { ours: await revalidating(ours), peers: asked };
  };
  for (const [name, guard] of Object.entries(guards(service))) made[`${name} 100 KB`] = () => ownPublic(service, guard);
  return made;
}

function filesOf(server: Server, names: string[]): Target {
  return { server, urls: names.map((name) => `${server.url}/${name}`) };
}

/** A picture's protection, and the headers that unlock it. */
interface Guard {
  fields: Record<string, string>;
  headers?: Record<string, string>;
}

function guards({ cookie }: BenchService): Record<string, Guard> {
  return {
    private: { fields: { visibility: 'private' }, headers: { cookie } },
    password: { fields: { access_password: 'sesame' }, headers: { 'x-image-password': 'sesame' } },
    'view-limited': { fields: { max_views: '1000000' } },
  };
}

async function ownPublic(service: BenchService, { fields, headers }: Guard): Promise<Omit<Row, 'name'>> {
  const guarded = await service.upload(await noise(SIDES['100 KB']), fields);
  const open = await service.upload(await noise(SIDES['100 KB']));
  const ours = { server: service, urls: [guarded.url], ...(headers && { headers }) };
  return { ours, peers: { 'own public': { server: service, urls: [open.url] } } };
}

async function publish(service: BenchService, files: string, side: number): Promise<{ url: string; name: string }> {
  const bytes = await noise(side);
  const { key, url } = await service.upload(bytes);
  writeFileSync(join(files, `${key}.png`), bytes);
  return { url, name: `${key}.png` };
}

async function revalidating(target: Target): Promise<Target> {
  const { headers } = await fetch(target.urls[0] as string);
  return { ...target, headers: { ...target.headers, 'if-none-match': headers.get('etag') ?? '' }, status: 304 };
}

/** Alternates the rounds, so that a disturbance affects all targets; the span of the ratios shows how large it was. */
async function measure({ name, ours, peers }: Row) {
  const all = Object.entries({ ours, ...peers });
  for (const [, target] of all) {
    await requireResponses(target);
    for (let sent = 0; sent < WARM_UP_REQUESTS; ) sent += load(target, SECONDS, workshop.folder).perSecond * SECONDS;
  }
  const rounds = Array.from({ length: ROUNDS }, () => all.map(([, target]) => load(target, SECONDS, workshop.folder)));
  const [mine = [], ...theirs] = all.map((_, at) => rounds.map((round) => round[at] as Round));
  console.log(`${name}: ours ${describe(mine)}`);
  for (const [at, them] of theirs.entries()) {
    const who = Object.keys(peers)[at] as Peer;
    const rates = mine.map(({ perSecond }, round) => perSecond / (them[round] as Round).perSecond);
    const values = mine.map(({ cpuMicros }, round) => (them[round] as Round).cpuMicros / cpuMicros);
    console.log(`  ${who} ${describe(them)}; ratio of the rates ${median(rates).toFixed(2)}`);
    const target = TARGETS[who]?.[name];
    record({ row: `${name} vs. ${who}, by CPU time`, value: median(values), values, unit: 'x', better: 'more', ...(target && { target }) });
  }
}

function describe(rounds: Round[]): string {
  return `${median(rounds.map(({ perSecond }) => perSecond)).toFixed(0)}/s, ${median(rounds.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} µs`;
}
