// `npm test` runs what every change needs, `npm run test:all` all else; `npm test -- unit web` only the named steps, `npm run test:electron` the
// desktop scenarios on real Electron, `npm test -- packages` packages for the other systems and processors and checks the results.
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap, onStop, root } from './bootstrap.mjs';
import { ensureBrowser } from './browser.mjs';
import { programOf, startNode, stopAll } from './programs.mjs';
import { leftovers } from './test/leftovers.mjs';

await bootstrap(import.meta.url);
const vitest = (projects) => [programOf('vitest'), 'run', ...projects.map((project) => `--project=${project}`)];
const playwright = (projects) => [programOf('playwright'), 'test', ...projects.map((project) => `--project=${project}`)];
/** The most important scenarios are marked: ways through the whole program that nothing else tests. */
const essential = (projects) => [...playwright(projects), '--grep=@essential'];
const others = (projects) => [...playwright(projects), '--grep-invert=@essential'];
const isLinux = process.platform === 'linux';
const lint = (projects) => [programOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', ...projects];

/**
 * The entries of a lane run one after the other. The steps of an entry share a run: while a test of one waits, a test of another works.
 * The lanes run at the same time, so that a test run keeps its share of a busy computer. Only the checks start before the build has ended.
 */
const LANES = [
  [
    {
      program: vitest,
      projects: { unit: ['unit', 'unit-mocking'], built: ['built'], postgres: ['postgres'], slow: ['unit-slow', 'built-slow'] },
    },
  ],
  [
    // Components first: they need no build.
    { program: vitest, projects: { components: ['components', 'light'] } },
    { program: essential, projects: { essential: isLinux ? ['web', 'desktop'] : ['web'] } },
    { program: others, projects: { scenarios: ['web'] } },
    // Of the desktop app, all scenarios in a package, where one can run, and the essential ones with a hostile double.
    { program: playwright, projects: { web: ['web'], desktop: isLinux ? ['packaged', 'hostile'] : ['desktop'] } },
    { program: playwright, projects: { packages: ['packages'] } },
    { program: playwright, projects: { electron: ['electron'] } },
  ],
  [
    { program: lint, projects: { style: ['.'] } },
    { program: () => ['scripts/lint/imports.ts'], projects: { imports: [] } },
    { program: () => ['scripts/lint/classes.ts'], projects: { classes: [] } },
    { program: () => ['scripts/lint/electron.ts'], projects: { systems: [] } },
    // Several checkers would each check the shared types again.
    { program: () => [programOf('typescript', 'tsc'), '-b', '--checkers', '1'], projects: { types: [] } },
    { program: () => [programOf('knip')], projects: { unused: [] } },
  ],
];
const CHECKS = ['style', 'imports', 'classes', 'systems', 'types', 'unused'];
/** What every change needs. */
const DAILY = [...CHECKS, 'unit', 'components', 'built', 'essential'];
/** All else. */
const REST = ['slow', 'postgres', 'scenarios', 'desktop'];
/** These start before the build has ended. */
const WITHOUT_BUILD = [...CHECKS, 'components'];

/** Milliseconds that the last processes have to end: Chromium's take a moment on a busy computer. */
const END_MS = 10_000;

/** The same for those of a run that is stopped. */
const STOP_MS = 3_000;

/** Free bytes that the tests' files need: at most 1.2 GB at once. */
const FILES_BYTES = 4e9;

// In the environment of every process that the tests start, and where all of them have their files.
const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'pixdock-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let isStopped = false;
const stopWaiting = onStop((signal) => void end(signal));
// PostgreSQL runs as a user of its own, which must get to its folder.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.env.NODE_COMPILE_CACHE = linkCompiled(process.env.NODE_COMPILE_CACHE ?? join(root, '.cache/compiled'));
// The type checker is a Go program: with more memory it collects less often.
process.env.GOGC ??= '300';

const requested = process.argv.slice(2).flatMap((name) => ({ check: CHECKS, rest: REST })[name] ?? [name]);
const steps = requested.length ? requested : DAILY;
const known = LANES.flat().flatMap(({ projects }) => Object.keys(projects));
const unknown = steps.filter((name) => !known.includes(name));
if (unknown.length) {
  console.error(`No such test step: ${unknown.join(', ')}. There are: ${[...known, 'check', 'rest'].join(', ')}.`);
  process.exit(2);
}
const lanes = LANES.map((lane) =>
  lane.flatMap(({ program, projects }) => {
    const names = steps.filter((name) => projects[name]);
    return names.length ? [{ name: names.join(' '), program: program(names.flatMap((name) => projects[name])) }] : [];
  }),
).filter((lane) => lane.length);
const needs = (...names) => steps.some((name) => names.includes(name));
if (needs('components', 'essential', 'scenarios', 'web', 'desktop')) process.env.CHROMIUM_PATH = await ensureBrowser();
if (needs('electron')) await requireElectron();
const built = steps.every((name) => WITHOUT_BUILD.includes(name)) ? Promise.resolve() : build();
// Thousands of lines may follow a failure, so all failures are listed at the end.
const failed = join(folder, 'tests.txt');
writeFileSync(failed, '');
process.env.PIXDOCK_FAILED_TESTS = failed;
const results = (await Promise.all(lanes.map(runLane))).flat();
console.log(`\n${readFileSync(failed, 'utf8')}`);
for (const { name, passed, seconds } of results) console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(11)} ${seconds.toFixed(1)} s`);
stopWaiting();
const left = await leftovers(folder, END_MS);
for (const { pid, command } of left) {
  console.log(`FAILED  outlived the tests and was killed: ${pid} ${command}`);
  process.kill(pid, 'SIGKILL');
}
process.exit(results.every((result) => result.passed) && left.length === 0 ? 0 : 1);

/** Ends everything that the run has started, and then the run itself. Nothing else is started meanwhile. */
async function end(signal) {
  isStopped = true;
  stopWaiting();
  console.error(`\nThe tests were stopped by ${signal}.`);
  stopAll(signal);
  for (const { pid } of await leftovers(folder, STOP_MS)) process.kill(pid, 'SIGKILL');
  await leftovers(folder, STOP_MS);
  process.exit(1);
}

/** Linux's folder in memory, if it has room: thousands of commits needn't wait for a disk (decision 103). */
function inMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= FILES_BYTES ? '/dev/shm' : undefined;
  } catch {
    return undefined;
  }
}

/** The tests start hundreds of processes from the same code. Each run has a path of its own to it, since decoders inherit hardly anything else. */
function linkCompiled(target) {
  mkdirSync(target, { recursive: true });
  const link = join(folder, 'compiled');
  symlinkSync(target, link, 'junction');
  return link;
}

/** Installs Electron before the workers start: several at once would overwrite each other's files. */
async function requireElectron() {
  // Loaded only now: it needs the packages.
  const { ensureElectron } = await import('./electron.mjs');
  const { reason } = await ensureElectron();
  if (!reason) return;
  console.error(reason);
  process.exit(1);
}

/** In a process of its own: Vite keeps more than a gigabyte for as long as its process lives. */
async function build() {
  const code = await startNode(['scripts/build.mjs'], 'inherit');
  if (code !== 0) process.exit(code);
}

/** Prints the first lane's output as it comes and another's once it has ended, since two at once would be hard to read. */
async function runLane(lane, index) {
  const log = index > 0 ? join(folder, `${index}.txt`) : undefined;
  const output = log ? openSync(log, 'a') : 'inherit';
  const results = [];
  for (const { name, program } of lane) {
    if (!WITHOUT_BUILD.includes(name)) await built;
    const start = Date.now();
    console.log(`\n── ${name}${log ? ', with its output at its end' : ''}`);
    if (log) appendFileSync(log, `\n── ${name}\n`);
    const passed = (await startNode(program, output)) === 0;
    if (isStopped) await new Promise(() => undefined);
    results.push({ name, passed, seconds: (Date.now() - start) / 1000 });
  }
  if (log) {
    closeSync(output);
    console.log(readFileSync(log, 'utf8'));
  }
  return results;
}
