// Measures what `pixdock import` needs to list 100,000 pictures of each product in a dry run, and old addresses that lead to pictures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { madeUpLibrary, PRODUCTS, type Product, startFakeSource } from '../test/helpers/network/fake-sources.ts';
import { tinyPng } from '../test/helpers/pictures/tiny-png.ts';
import { watchMemory } from '../test/helpers/programs/process-tree.ts';
import { openWorkshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { startService } from './support/service.ts';

const { values: options } = parseArgs({
  options: { pictures: { type: 'string', default: '100000' }, dist: { type: 'string', default: join(import.meta.dirname, '../dist') } },
});
const CLI = join(options.dist, 'cli/pixdock.js');
const ADDRESSES = 100_000;
const AT_ONCE = 2_000;
const REDIRECTS = 1_000;

await using workshop = openWorkshop();
const service = await startService(workshop, { pin: false, dist: options.dist });
const token = await service.token();
const library = madeUpLibrary(Number(options.pictures));

for (const [name, product] of Object.entries(PRODUCTS)) await list(name, product);
await redirect();

async function list(name: string, product: Product) {
  await using source = await startFakeSource(product, library, { token: 'user:secret' });
  const start = Date.now();
  const child = spawn(process.execPath, [CLI, 'import', name.replace('+', ''), source.url, '--dry-run'], {
    env: {
      ...process.env,
      HOME: workshop.folder,
      PIXDOCK_BASE_URL: service.url,
      PIXDOCK_TOKEN: token,
      PIXDOCK_SOURCE_TOKEN: 'user:secret',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const memory = watchMemory(child.pid as number);
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    lines += chunk.toString().split('\n').length - 1;
  });
  await once(child, 'close');
  if (lines !== library.length) throw new Error(`${name}: ${lines} pictures were listed`);
  const seconds = (Date.now() - start) / 1000;
  record({
    row: `${name}: ${library.length} pictures in a dry run, ${source.seen.length} requests`,
    value: seconds,
    values: [seconds],
    unit: 's',
    better: 'less',
  });
  record({ row: `${name}: memory at its peak`, value: memory.peak(), values: [memory.peak()], unit: 'MB', better: 'less' });
}

async function redirect() {
  const { url } = await service.upload(tinyPng(1));
  const start = Date.now();
  for (let first = 0; first < ADDRESSES; first += AT_ONCE) {
    const addresses = Array.from({ length: AT_ONCE }, (_, index) => ({ old: `/u/${first + index}.png`, now: url }));
    const response = await fetch(`${service.url}/api/v1/admin/old-addresses`, {
      method: 'PUT',
      headers: { cookie: service.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ addresses }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  const stored = (Date.now() - start) / 1000;
  record({ row: `${ADDRESSES} old addresses stored`, value: stored, values: [stored], unit: 's', better: 'less' });
  const before = Date.now();
  for (let index = 0; index < REDIRECTS; index++) {
    const response = await fetch(`${service.url}/u/${index * 97}.png`, { redirect: 'manual' });
    if (response.status !== 301 || !url.endsWith(response.headers.get('location') ?? 'none'))
      throw new Error(`${index}: ${response.status}`);
  }
  const redirected = (Date.now() - before) / 1000;
  record({ row: `${REDIRECTS} of them followed, one after the other`, value: redirected, values: [redirected], unit: 's', better: 'less' });
}
