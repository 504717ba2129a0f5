// `npm run test:hard`: long tests with random inputs, faults and load; `npm test` doesn't run them. docs/trust.md says what they prove.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { bootstrap } from '../bootstrap.mjs';
import { ensureBrowser } from '../browser.mjs';
import { ensureBuilt } from '../build.mjs';
import { programOf, runNode } from '../programs.mjs';

await bootstrap(import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    inputs: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '100' },
    cuts: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
    plot: { type: 'string' },
  },
});
const { plot, ...numbers } = values;
if (plot) process.env.PIXDOCK_HARD_PLOT = plot;
for (const [name, value] of Object.entries(numbers)) {
  if (!(Number(value) >= 0)) {
    console.error(`--${name} needs a number.`);
    process.exit(2);
  }
  process.env[`PIXDOCK_HARD_${name.toUpperCase()}`] = value;
}
await ensureBuilt();
if (!positionals.length || positionals.some((name) => ['app-kills', 'draft-kills', 'record-kills', 'encoders'].includes(name)))
  process.env.CHROMIUM_PATH = await ensureBrowser();
console.log(`Seed ${values.seed}; npm run test:hard -- --seed ${values.seed} repeats the same inputs.`);
process.exit(runNode(programOf('vitest'), 'run', '--project=hard', '--no-file-parallelism', '--silent=false', ...positionals.map(fileOf)));

/** Vitest takes parts of paths, and `kills` is also a part of another name. */
function fileOf(part) {
  return part === 'kills' ? '/kills' : part;
}
