// The same work for Pixdock and for other products: uploads, first and repeated thumbnails, originals and lists. CPU time of each product's
// processes per request, in turns; memory afterwards; and how long others wait while large pictures arrive.
// `node bench/peers.ts [--rounds <number>] [--only <product>]…`
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './support/load.ts';
import { type Addresses, type Product, read, startProducts } from './support/products.ts';
import { openWorkshop, untilIdle } from './support/programs.ts';
import { record } from './support/results.ts';
import { CAMERA, photo, variant } from './support/samples.ts';
import { startSenders } from './support/senders.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', multiple: true } },
});
const ROUNDS = Number(options.rounds);
const AT_ONCE = 4;
const LISTS = 50;

const SAMPLES = [
  {
    name: '459 KB',
    uploads: 40,
    repeats: 5,
    make: async () => (await photo(1515, 1136)).jpeg({ quality: 84 }).withExif(CAMERA).toBuffer(),
  },
  {
    name: '6.4 MB',
    uploads: 12,
    repeats: 5,
    make: async () => (await photo(4080, 3060)).jpeg({ quality: 95 }).withExif(CAMERA).toBuffer(),
  },
];

/** Milliseconds of CPU time per request, in each round. */
const costs = new Map<string, number[]>();

await using workshop = openWorkshop();
await main();

async function main() {
  const products = await startProducts(workshop, options.only);
  const samples = await Promise.all(SAMPLES.map(async (sample) => ({ ...sample, bytes: await sample.make() })));
  let number = 0;
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, bytes, uploads, repeats } of samples)
      for (const product of products) {
        const files = Array.from({ length: uploads }, () => variant(bytes, number++));
        await use(product, name, files, repeats);
      }
    for (const { name, server, list } of products) if (list) await spend(`${name}, list of 100`, server, Array(LISTS).fill(list));
    if (round === 0) costs.clear();
  }
  for (const [row, values] of costs) console.log(`${row}: ${figure(values, 2)} ms of CPU time`);
  report(products);
  for (const product of products) await whileOthersUpload(product, samples[1]?.bytes as Buffer, number);
}

async function use({ name, server, form, upload }: Product, sample: string, files: Buffer[], repeats: number): Promise<void> {
  const stored: Addresses[] = [];
  const row = (work: string) => `${name}, ${sample}, ${work}`;
  const uploading = files.map((bytes) => async () => void stored.push(await upload(bytes)));
  if (form) await spend(row('upload'), server, uploading);
  else for (const store of uploading) await store();
  const of = (kind: keyof Addresses) => stored.flatMap(({ [kind]: url }) => (url === undefined ? [] : [() => read(url)]));
  const again = (requests: (() => Promise<void>)[]) => Array<typeof requests>(repeats).fill(requests).flat();
  await spend(row('first thumbnail'), server, of('thumbnail'));
  await spend(row('thumbnail again'), server, again(of('thumbnail')));
  await spend(row('original'), server, again(of('original')));
}

/** Notes the CPU time of a server for these requests, a few at once. */
async function spend(row: string, server: Product['server'], requests: readonly (() => Promise<void>)[]): Promise<void> {
  if (requests.length === 0) return;
  await untilIdle(server);
  const before = server.cpuSeconds();
  const waiting = requests.values();
  const client = async () => {
    for (const request of waiting) await request();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const cost = ((server.cpuSeconds() - before) * 1000) / requests.length;
  costs.set(row, [...(costs.get(row) ?? []), cost]);
}

/** Ratios of rounds, so that what else the machine does affects both sides alike. */
function report(products: readonly Product[]): void {
  for (const { name } of products) {
    for (const [row, theirs] of costs) {
      const ours = costs.get(row.replace(name, 'Pixdock'));
      if (name === 'Pixdock' || !row.startsWith(name) || !ours) continue;
      const values = theirs.map((value, round) => value / (ours[round] as number));
      record({ row: `${row}: CPU time there vs. here`, value: median(values), values, unit: 'x', better: 'more', ...targetOf(row) });
    }
  }
  for (const { name, server } of products) {
    const value = server.currentBytes() / 1e6;
    record({
      row: `${name}: memory afterwards`,
      value,
      values: [value],
      unit: 'MB',
      better: 'less',
      ...(name === 'Pixdock' && { target: 264 }),
    });
  }
}

function targetOf(row: string): { target?: number } {
  if (row === 'Directus, 6.4 MB, upload') return { target: 1.5 };
  if (row === 'multer, 6.4 MB, upload') return { target: 0.7 };
  return {};
}

/** How long lists take one client, with and without eight large uploads at once. */
async function whileOthersUpload({ name, form, list }: Product, bytes: Buffer, first: number): Promise<void> {
  if (!form || !list) return;
  const [quiet, busy, ratios] = [[] as number[], [] as number[], [] as number[]];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await p95Of(list));
    await using senders = await startSenders({ form, bytes, atOnce: 8, number: first + round * 1_000 });
    busy.push(await p95Of(list));
    ratios.push((busy[round] as number) / (quiet[round] as number));
    if (senders.stored() < 8) throw new Error('The uploads were too slow.');
  }
  console.log(`${name}, list of 100, p95: ${figure(quiet, 1)} ms alone, ${figure(busy, 1)} ms beside eight uploads of 6.4 MB`);
  const target = name === 'Pixdock' ? { target: 1.5 } : {};
  record({ row: `${name}: p95 beside large uploads`, value: median(ratios), values: ratios, unit: 'x', better: 'less', ...target });
}

async function p95Of(request: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const started = performance.now();
    await request();
    times.push(performance.now() - started);
    await setTimeout(5);
  }
  return times.sort((a, b) => a - b)[94] as number;
}

function figure(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${median(sorted).toFixed(digits)} (${sorted[0]?.toFixed(digits)}–${sorted.at(-1)?.toFixed(digits)})`;
}
