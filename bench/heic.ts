// Measures the upload of 12-megapixel HEIC pictures like a phone's, which become JPEGs, against heif-convert, one process per file, which
// makes the same JPEGs and does nothing else. Both on all cores, in turns. `node bench/heic.ts [--dist <folder>] [--rounds <number>]`
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_QUALITY } from '#api/constants.ts';
import { isoBox } from '../test/helpers/pictures/private-metadata.ts';
import { phonePicture } from './support/heic.ts';
import { median } from './support/load.ts';
import { openWorkshop, runAll, untilIdle } from './support/programs.ts';
import { record } from './support/results.ts';
import { startService } from './support/service.ts';

const options = { dist: { type: 'string' }, rounds: { type: 'string', default: '9' } } as const;
const { dist, rounds } = parseArgs({ options }).values;
const TARGET = 0.8;

await using workshop = openWorkshop();
await main();

async function main() {
  const { folder } = workshop;
  const picture = await phonePicture(folder);
  const service = await startService(workshop, { pin: false, dist });
  const [heic, jpeg] = [join(folder, 'picture.heic'), join(folder, 'picture.jpg')];
  writeFileSync(heic, picture);
  const costs = { wall: [] as number[], cpu: [] as number[] };
  const peer = { wall: [] as number[], cpu: [] as number[] };
  for (let round = 0; round <= Number(rounds); round++) {
    await untilIdle(service);
    const theirs = await runAll([['heif-convert', ['-q', String(DEFAULT_QUALITY), heic, jpeg]]]);
    const [started, before] = [performance.now(), service.cpuSeconds()];
    await service.upload(variant(picture, round));
    const mine = { wall: (performance.now() - started) / 1000, cpu: service.cpuSeconds() - before };
    // The first round starts the decoder.
    if (round === 0) continue;
    for (const [to, { wall, cpu }] of [[costs, mine] as const, [peer, theirs] as const]) {
      to.wall.push(wall);
      to.cpu.push(cpu);
    }
  }
  const { length } = readFileSync(jpeg);
  console.log(`${(picture.length / 1e6).toFixed(1)} MB, ${(length / 1e6).toFixed(1)} MB as JPEG of heif-convert`);
  for (const kind of ['wall', 'cpu'] as const) {
    const [name, target] = kind === 'wall' ? ['', { target: TARGET }] : [', by CPU time', {}];
    console.log(
      `${kind}: ours ${spread(costs[kind])}, heif-convert ${spread(peer[kind])}, peak ${(service.peakBytes() / 1e6).toFixed(0)} MB`,
    );
    const values = costs[kind].map((own, index) => (peer[kind][index] as number) / own);
    record({
      row: `HEIC 12 MP vs. heif-convert${name}`,
      value: median(peer[kind]) / median(costs[kind]),
      values,
      unit: 'x',
      better: 'more',
      ...target,
    });
  }
}

function spread(seconds: number[]): string {
  const [least, middle, most] = [Math.min(...seconds), median(seconds), Math.max(...seconds)].map((value) => (value * 1000).toFixed(0));
  return `${middle} ms (${least}–${most})`;
}

/** The same picture with other bytes at its end. */
function variant(picture: Buffer, number: number): Buffer {
  return Buffer.concat([picture, isoBox('free', Buffer.from(String(number)))]);
}
