// Measures `pixdock import-dir` of a folder of photos against `cp -r` and `sync`, which neither hash nor inspect nor record; and with
// all thumbnails made afterwards, against two vipsthumbnail processes that make only those. Service and command
// line share both cores.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './support/load.ts';
import { openWorkshop, runAll } from './support/programs.ts';
import { CAMERA, photo, variant } from './support/samples.ts';
import { type BenchService, startService } from './support/service.ts';

const { values: options } = parseArgs({
  options: {
    dist: { type: 'string', default: join(import.meta.dirname, '../dist') },
    images: { type: 'string', default: '1000' },
    profile: { type: 'boolean' },
  },
});
const ROUNDS = 5;
const IMAGES = Number(options.images);
const PER_FOLDER = 100;
const WIDTH = 400;
const AT_ONCE = 4;
const DIST = resolve(options.dist);
const CLI = join(DIST, 'cli/pixdock.js');
/** Writes V8's profiles of the command line into a folder. */
const PROFILE = options.profile ? ['--cpu-prof', '--cpu-prof-dir=profile'] : [];

/** Seconds of wall time and of CPU time. */
interface Cost {
  wall: number;
  cpu: number;
}
type Costs = Record<'cli' | 'service' | 'copy' | 'thumbnails' | 'vips', Cost>;

await using workshop = openWorkshop();
await main();

async function main() {
  const service = await startService(workshop, { pin: false, dist: DIST });
  const token = await service.token();
  const bytes = await (await photo(1000, 750)).jpeg({ quality: 79 }).withExif(CAMERA).toBuffer();
  const rounds: Costs[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    const files = writeImages(bytes, round * IMAGES);
    const { links, ...imported } = await importAll(service, token);
    const thumbnails = await thumbnailsOf(service, links);
    const [copy, vips] = [await copied(), await vipsthumbnail(files)];
    if (round > 0) rounds.push({ ...imported, thumbnails, copy, vips });
  }
  report(rounds, bytes.length);
}

/** The folder `in` of the workshop, new and already flushed to disk, so that no measurement waits for it. */
function writeImages(bytes: Buffer, first: number): string[] {
  for (const folder of ['in', 'copy', 'state']) rmSync(join(workshop.folder, folder), { recursive: true, force: true });
  return Array.from({ length: IMAGES }, (_, i) => {
    const folder = join(workshop.folder, 'in', `day ${Math.floor(i / PER_FOLDER)}`);
    if (i % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const file = join(folder, `IMG_${i}.jpg`);
    writeFileSync(file, variant(bytes, first + i), { flush: true });
    return file;
  });
}

async function importAll(service: BenchService, token: string) {
  const before = service.cpuSeconds();
  const cli = await runAll([[process.execPath, [...PROFILE, CLI, 'import-dir', join(workshop.folder, 'in'), '--format', 'json']]], {
    PIXDOCK_BASE_URL: service.url,
    PIXDOCK_TOKEN: token,
    XDG_STATE_HOME: join(workshop.folder, 'state'),
  });
  const uploaded = cli.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { reused: boolean; links: { thumbnail_url: string } });
  if (uploaded.length !== IMAGES || uploaded.some(({ reused }) => reused)) throw new Error('Not all were new.');
  const links = uploaded.map(({ links }) => `${links.thumbnail_url}?w=${WIDTH}`);
  return { cli, service: { wall: cli.wall, cpu: service.cpuSeconds() - before }, links };
}

async function thumbnailsOf(service: BenchService, links: string[]): Promise<Cost> {
  const [started, before] = [performance.now(), service.cpuSeconds()];
  const waiting = [...links];
  const visitor = async () => {
    for (let link = waiting.pop(); link; link = waiting.pop()) {
      const response = await fetch(link);
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return { wall: (performance.now() - started) / 1000, cpu: service.cpuSeconds() - before };
}

function copied(): Promise<Cost> {
  const [from, to] = ['in', 'copy'].map((name) => join(workshop.folder, name)) as [string, string];
  return runAll([['sh', ['-c', 'cp -r "$@" && sync', 'sh', from, to]]]);
}

function vipsthumbnail(files: string[]): Promise<Cost> {
  const half = Math.ceil(files.length / 2);
  const batches = [files.slice(0, half), files.slice(half)];
  return runAll(batches.map((some) => ['vipsthumbnail', [...some, '--size', `${WIDTH}`, '-o', 'tn_%s.jpg[Q=80]']]));
}

function report(rounds: Costs[], size: number) {
  const middle = (figure: (costs: Costs) => number) => median(rounds.map(figure));
  console.log(`${IMAGES} files of ${size} bytes; CPU time per file; rates and ratios are medians of ${rounds.length} rounds`);
  for (const name of ['cli', 'service', 'copy', 'thumbnails', 'vips'] as const) {
    const rate = middle((costs) => IMAGES / costs[name].wall);
    const cpu = middle((costs) => (costs[name].cpu * 1000) / IMAGES);
    console.log(`${name}: ${rate.toFixed(0)} files/s, ${cpu.toFixed(2)} ms CPU`);
  }
  for (const measure of ['wall', 'cpu'] as const) {
    const ratio = (figure: (costs: Costs) => number) => {
      const all = rounds.map(figure).toSorted((a, b) => a - b);
      return `${median(all).toFixed(2)} (${all[0]?.toFixed(2)} to ${all.at(-1)?.toFixed(2)})`;
    };
    const imported = ({ cli, service }: Costs) => (measure === 'wall' ? cli.wall : cli.cpu + service.cpu);
    const ofCopy = ratio((costs) => costs.copy[measure] / imported(costs));
    const ofVips = ratio((costs) => costs.vips[measure] / (imported(costs) + costs.thumbnails[measure]));
    const by = measure === 'wall' ? 'by wall time' : 'by CPU time';
    console.log(`${by}: import-dir ${ofCopy} of cp -r and sync; with all thumbnails ${ofVips} of two vipsthumbnail`);
  }
}
