// Measures thumbnails of 12-megapixel photos: the first one against vipsthumbnail, one process per file; another width from a
// larger stored thumbnail; and a stored one.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, pinned } from './support/load.ts';
import { openWorkshop, type Server } from './support/programs.ts';
import { CAMERA, photo, variant } from './support/samples.ts';
import { startService } from './support/service.ts';

const ROUNDS = 5;
const IMAGES = 12;
const REPEATS = 300;

await using workshop = openWorkshop();
await main();

async function main() {
  const service = await startService(workshop);
  const bytes = await (await photo(4000, 3000)).jpeg({ quality: 90 }).withExif(CAMERA).toBuffer();
  let number = 0;
  const results = {
    first: [] as number[],
    peer: [] as number[],
    fromOriginal: [] as number[],
    fromLarger: [] as number[],
    again: [] as number[],
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const files: string[] = [];
    const links: string[] = [];
    for (let i = 0; i < IMAGES; i++) {
      const file = variant(bytes, number++);
      files.push(join(workshop.folder, `${i}.jpg`));
      writeFileSync(files[i] as string, file);
      links.push(`${service.url}/t/${(await service.upload(file)).key}.jpg`);
    }
    const all = (width: number, some: string[]) => measured(service, some.length, () => Promise.all(some.map((link) => get(link, width))));
    const first = await all(400, links.slice(0, IMAGES / 2));
    const others = links.slice(IMAGES / 2);
    await all(1600, others);
    const fromLarger = await all(400, others);
    const again = await measured(service, REPEATS, async () => {
      for (let i = 0; i < REPEATS; i++) await get(links[0] as string, 400);
    });
    const peer = vipsthumbnail(files);
    if (round === 0) continue; // warm-up
    results.first.push(first.wall);
    results.peer.push(peer);
    results.fromOriginal.push(first.cpu);
    results.fromLarger.push(fromLarger.cpu);
    results.again.push(again.wall);
  }
  const of = (name: keyof typeof results) => median(results[name]);
  const ratio = (a: keyof typeof results, b: keyof typeof results) => (of(a) / of(b)).toFixed(2);
  console.log(
    `first, 400 px: ${of('first').toFixed(1)} ms, vipsthumbnail ${of('peer').toFixed(1)} ms, ${ratio('peer', 'first')} times as fast`,
  );
  console.log(
    `another width: ${of('fromLarger').toFixed(1)} ms CPU from the one of 1600 px, ${of('fromOriginal').toFixed(1)} ms from the original, ratio ${ratio('fromLarger', 'fromOriginal')}`,
  );
  console.log(`again: ${of('again').toFixed(2)} ms, ${ratio('first', 'again')} times as fast as first`);
}

async function get(link: string, width: number): Promise<void> {
  const response = await fetch(`${link}?w=${width}`);
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** Milliseconds per item, of wall time and of the server's CPU time. */
async function measured(server: Server, count: number, work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [cpu, wall] = [server.cpuSeconds(), performance.now()];
  await work();
  return { wall: (performance.now() - wall) / count, cpu: ((server.cpuSeconds() - cpu) * 1000) / count };
}

/** Milliseconds per file, on the server's core. */
function vipsthumbnail(files: string[]): number {
  const started = performance.now();
  for (const file of files) {
    const { status, stderr } = spawnSync(...pinned(0, 'vipsthumbnail', [file, '--size', '400', '-o', 'tn_%s.jpg[Q=80]']), {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr || 'vipsthumbnail is missing: apt install libvips-tools');
  }
  return (performance.now() - started) / files.length;
}
