// `npm test` runs everything, `npm test -- unit web` only the named steps, `npm run test:electron` the desktop scenarios on real Electron,
// `npm test -- packages` packages for the other systems and processors and checks the results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { programOf, runNode } from './programs.mjs';

await bootstrap(import.meta.url);
const passes = (program, ...args) => runNode(program, ...args) === 0;
const vitest = (projects) => passes(programOf('vitest'), 'run', ...projects.map((project) => `--project=${project}`));
const playwright = (projects) => passes(programOf('playwright'), 'test', ...projects.map((project) => `--project=${project}`));

const STEPS = {
  style: () => passes(programOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.') && passes('scripts/lint/imports.ts'),
  // Several checkers would each check the shared types again.
  types: () => passes(programOf('typescript', 'tsc'), '-b', '--checkers', '1'),
  unused: () => passes(programOf('knip')),
  packages: () => playwright(['packages']),
  electron: () => playwright(['electron']),
};
/** Steps, with their projects, that run together: while a test of one waits, a test of the other works. */
const TOGETHER = [
  { run: vitest, projects: { unit: ['unit*'], postgres: ['postgres'], built: ['built'] } },
  {
    run: playwright,
    // Of the desktop app, all scenarios on a package, where one can run, and the essential ones on the project's folder.
    projects: { web: ['web'], desktop: process.platform === 'linux' ? ['packaged', 'essential'] : ['desktop'] },
  },
];
const GROUPS = { check: ['style', 'types', 'unused'] };
const DEFAULT = ['style', 'types', 'unused', 'unit', 'postgres', 'built', 'web', 'desktop'];

// The tests start hundreds of processes from the same code.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache/compiled');
// The type checker is a Go program: with more memory it collects less often.
process.env.GOGC ??= '300';

const requested = process.argv.slice(2).flatMap((name) => GROUPS[name] ?? [name]);
const steps = requested.length ? requested : DEFAULT;
const known = [...Object.keys(STEPS), ...TOGETHER.flatMap(({ projects }) => Object.keys(projects))];
const unknown = steps.filter((name) => !known.includes(name));
if (unknown.length) {
  console.error(`No such test step: ${unknown.join(', ')}. There are: ${[...known, ...Object.keys(GROUPS)].join(', ')}.`);
  process.exit(2);
}
const runs = [
  ...steps.filter((name) => STEPS[name]).map((name) => ({ name, run: STEPS[name] })),
  ...TOGETHER.flatMap(({ run, projects }) => {
    const names = steps.filter((name) => projects[name]);
    return names.length ? [{ name: names.join(' '), run: () => run(names.flatMap((name) => projects[name])) }] : [];
  }),
];
const needs = (...names) => steps.some((name) => names.includes(name));
if (needs('web', 'desktop')) process.env.CHROMIUM_PATH = await ensureBrowser();
if (needs('built', 'web', 'desktop', 'packages', 'electron')) await ensureBuilt();
// Thousands of lines may follow a failure, so all failures are listed at the end.
const folder = mkdtempSync(join(tmpdir(), 'pixdock-failed-'));
const failed = join(folder, 'tests.txt');
writeFileSync(failed, '');
process.env.PIXDOCK_FAILED_TESTS = failed;
const results = runs.map(({ name, run }) => {
  const start = Date.now();
  console.log(`\n── ${name}`);
  return { name, passed: run(), seconds: (Date.now() - start) / 1000 };
});
console.log(`\n${readFileSync(failed, 'utf8')}`);
rmSync(folder, { recursive: true });
for (const { name, passed, seconds } of results) console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(11)} ${seconds.toFixed(1)} s`);
process.exit(results.every((result) => result.passed) ? 0 : 1);
