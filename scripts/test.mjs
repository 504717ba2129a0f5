// `npm test`: everything. `npm test -- unit web` runs only the named steps; `npm run test:electron` the desktop scenarios on real Electron.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';

await bootstrap(import.meta.url);
/** The program file of an installed package. */
const binary = (name, bin = name) => {
  const folder = join(root, 'node_modules', name);
  const { bin: bins } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bins === 'string' ? bins : bins[bin]);
};
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: process.env }).status === 0;
const playwright = (project) => node(binary('playwright'), 'test', `--project=${project}`);

const STEPS = {
  style: () => node(binary('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'),
  types: () => node(join(root, 'node_modules/typescript/bin/tsc'), '-b'),
  unused: () => node(binary('knip')),
  unit: () => node(binary('vitest'), 'run'),
  web: () => playwright('web'),
  desktop: () => playwright('desktop'),
  electron: () => playwright('electron'),
};
const GROUPS = { check: ['style', 'types', 'unused'] };
const DEFAULT = ['style', 'types', 'unused', 'unit', 'web', 'desktop'];

const asked = process.argv.slice(2).flatMap((name) => GROUPS[name] ?? [name]);
const steps = asked.length ? asked : DEFAULT;
const unknown = steps.filter((name) => !STEPS[name]);
if (unknown.length) {
  console.error(`No such test step: ${unknown.join(', ')}. There are: ${[...Object.keys(STEPS), ...Object.keys(GROUPS)].join(', ')}.`);
  process.exit(2);
}
if (steps.some((name) => ['unit', 'web', 'desktop', 'electron'].includes(name))) {
  process.env.CHROMIUM_PATH = await ensureBrowser();
  await ensureBuilt();
}
const results = steps.map((name) => {
  const start = Date.now();
  console.log(`\n── ${name}`);
  return { name, passed: STEPS[name](), seconds: (Date.now() - start) / 1000 };
});
console.log('');
for (const { name, passed, seconds } of results) console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(8)} ${seconds.toFixed(1)} s`);
process.exit(results.every((result) => result.passed) ? 0 : 1);
