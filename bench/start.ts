// Measures the start of the service, from starting the process to its first response, and its memory while nothing happens: with an empty
// data folder and with many pictures. `--pictures 1000,100000` measures numbers other than a million; `--data <folder>` uses what
// bench/growth.ts has filled there.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repeatPictures } from './support/library.ts';
import { median } from './support/load.ts';
import { openWorkshop, type Workshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { noise, startService } from './support/service.ts';
import { timeStart } from './support/start.ts';

const { pictures, data } = parseArgs({
  options: { pictures: { type: 'string', default: '1000000' }, data: { type: 'string' } },
}).values;

const ROUNDS = 7;
/** Until the first jobs are done and V8 has returned what the start took. */
const IDLE_MS = 30_000;
const TARGETS = { emptySeconds: 0.35, fullSeconds: 0.5, idleBytes: 100e6 };

await using workshop = openWorkshop();
await fill(workshop, 0);
await measure(workshop, 'empty', TARGETS.emptySeconds);
for (const count of pictures.split(',').map(Number)) {
  await using large = openWorkshop(data && join(data, String(count)));
  await fill(large, count);
  await measure(large, `${count} pictures`, TARGETS.fullSeconds);
}

/** A data folder that has been used before: only the first start of all creates tables. */
async function fill(workshop: Workshop, count: number) {
  const service = await startService(workshop);
  if (count > 0) {
    for (let number = 0; number < 20; number++) await service.upload(await noise(60));
    await repeatPictures(join(workshop.folder, 'data/pixdock.db'), count);
  }
  await service.stop();
}

async function measure(workshop: Workshop, name: string, target: number) {
  const starts = [];
  await (await timeStart(workshop)).server.stop(); // fills the compile cache
  for (let round = 0; round < ROUNDS; round++) {
    const { server, ...start } = await timeStart(workshop);
    starts.push(start);
    await server.stop();
  }
  const seconds = starts.map(({ seconds }) => seconds);
  record({ row: `first response, ${name}`, value: median(seconds), values: seconds, unit: 's', target, better: 'less' });
  const cpu = starts.map(({ cpuSeconds }) => cpuSeconds);
  record({ row: `CPU time until then, ${name}`, value: median(cpu), values: cpu, unit: 's', better: 'less' });
  const { server } = await timeStart(workshop);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = server.residentBytes() / 1e6;
  record({ row: `memory when idle, ${name}`, value: idle, values: [idle], unit: 'MB', target: TARGETS.idleBytes / 1e6, better: 'less' });
  await server.stop();
}
