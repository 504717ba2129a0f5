// Measures an upload's cost for the server, as a ratio to multer's diskStorage, which neither hashes nor inspects nor strips nor flushes
// nor records. CPU time of the whole process, eight uploads at once, every file different.
// `node bench/upload.ts [part of a row's name]… [--profile]`
import { join } from 'node:path';
import { median } from './support/load.ts';
import { startMulter } from './support/peers.ts';
import { openWorkshop, type Server, untilIdle } from './support/programs.ts';
import { CAMERA, photo, screenshot, variant } from './support/samples.ts';
import { startService } from './support/service.ts';

const ROUNDS = 5;
const AT_ONCE = 8;

const SAMPLES: [string, number, () => Promise<Buffer>][] = [
  ['JPEG 200 KB, 0.75 MP', 800, async () => (await photo(1000, 750)).jpeg({ quality: 79 }).withExif(CAMERA).toBuffer()],
  ['JPEG 5 MB, 12 MP', 120, async () => (await photo(4000, 3000)).jpeg({ quality: 92 }).withExif(CAMERA).toBuffer()],
  ['progressive JPEG 5 MB, 12 MP', 120, async () => (await photo(4000, 3000)).jpeg({ quality: 93, progressive: true }).toBuffer()],
  ['PNG 200 KB, 2 MP, a screenshot', 400, () => screenshot(1920, 1080).png({ palette: false }).toBuffer()],
  ['PNG 5 MB, 2 MP, a photo', 120, async () => (await photo(1600, 1200)).png().toBuffer()],
];

await using workshop = openWorkshop();
await main(process.argv.slice(2).filter((argument) => !argument.startsWith('--')));

async function main(parts: string[]) {
  const ours = await startService(workshop, {
    nodeOptions: process.argv.includes('--profile') ? ['--cpu-prof', '--cpu-prof-dir=profile'] : [],
  });
  const peer = await startMulter(workshop, join(workshop.folder, 'files'));
  let number = 0;
  for (const [name, count, make] of SAMPLES) {
    if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue;
    const bytes = await make();
    const next = () => variant(bytes, number++);
    const costs = { ours: [] as number[], peer: [] as number[] };
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      await untilIdle(ours);
      const mine = await costOf(ours, count, () => ours.upload(next()));
      const theirs = await costOf(peer, count, () => send(peer.url, next()));
      if (round === 0) continue;
      costs.ours.push(mine);
      costs.peer.push(theirs);
    }
    const [mine, theirs] = [median(costs.ours), median(costs.peer)];
    console.log(
      `${name} (${bytes.length} bytes): ${mine.toFixed(2)} ms CPU, multer ${theirs.toFixed(2)} ms, ratio ${(theirs / mine).toFixed(2)}`,
    );
  }
}

/** The server's CPU time per request, in milliseconds. */
async function costOf(server: Server, count: number, request: () => Promise<unknown>): Promise<number> {
  const before = server.cpuSeconds();
  let left = count;
  const sender = async () => {
    while (left-- > 0) await request();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return ((server.cpuSeconds() - before) * 1000) / count;
}

async function send(url: string, bytes: Buffer): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture');
  const response = await fetch(url, { method: 'POST', body: form });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}
