// `npm run bench [-- NAME…]`: the measurements of bench/, all of them or those named (`npm run bench -- start direct-link`), installed and
// built first when needed. Prints a table, and writes the figures and everything printed to bench/results/NAME.json.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';

const RESULTS = join(root, 'bench', 'results');
const ALL = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => basename(name, '.ts'));

/** Runs one measurement in this process's terminal; resolves with what it printed and recorded. */
async function run(name) {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-bench-results-'));
  const file = join(folder, 'results');
  const before = performance.now();
  const child = spawn(process.execPath, [join(root, 'bench', `${name}.ts`)], {
    cwd: root,
    env: { ...process.env, PIXDOCK_BENCH_RESULTS: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true });
  return { code, seconds: (performance.now() - before) / 1000, printed, results: lines.map((line) => JSON.parse(line)) };
}

/** Whether a measurement opens pages. */
const needsBrowser = (name) => readFileSync(join(root, 'bench', `${name}.ts`), 'utf8').includes("from 'playwright'");

const verdict = ({ value, target, better }) =>
  target === undefined ? '' : (better === 'more' ? value >= target : value <= target) ? 'met' : 'missed';

/** Rows for `console.table`. */
function rowsOf(name, { results }) {
  return results.map((result) => {
    const { row, value, values, unit, target, better } = result;
    return {
      measurement: name,
      row,
      median: `${value.toFixed(2)} ${unit}`,
      range: `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`,
      target: target === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${target}`,
      result: verdict(result),
    };
  });
}

await bootstrap(import.meta.url);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}. There are: ${ALL.join(', ')}.`);
  process.exit(2);
}
const chosen = named.length > 0 ? named : ALL;
await ensureBuilt();
if (chosen.some(needsBrowser)) process.env.CHROMIUM_PATH = await ensureBrowser();
mkdirSync(RESULTS, { recursive: true });
const rows = [];
const failed = [];
for (const name of chosen) {
  console.log(`\n${name}`);
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg()[0] };
  const date = new Date().toISOString();
  const outcome = await run(name);
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify({ name, date, machine, ...outcome }, undefined, 2)}\n`);
  rows.push(...rowsOf(name, outcome));
  if (outcome.code !== 0) failed.push(name);
}
if (rows.length > 0) console.table(rows);
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
process.exit(failed.length > 0 ? 1 : 0);
