// Runs the desktop scenarios on Electron, and reads their results.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onStop, root } from '../bootstrap.mjs';
import { programOf } from '../programs.mjs';

const REPORTER = join(root, 'scripts/check-desktop/reporter.mjs');

/**
 * Returns each scenario's `file`, `title`, `status` (`passed`, `FAILED`, `skipped` or `not run`), `seconds` and `reason`, and the errors outside them.
 * @param args for Playwright, such as `--grep tray`
 * @param folder for its files: another run may use the usual folder
 */
export async function runScenarios(args, folder) {
  const file = join(folder, 'results.txt');
  writeFileSync(file, '');
  // The scenarios of a real computer share its clipboard, so they run one after the other.
  const options = ['--project=electron', '--workers=1', `--reporter=list,${REPORTER}`, `--output=${join(folder, 'output')}`];
  const child = spawn(process.execPath, [programOf('playwright'), 'test', ...options, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PIXDOCK_CHECK_FILE: file },
  });
  // A terminal sends Ctrl-C to Playwright, too.
  const release = onStop((signal) => signal !== 'SIGINT' && child.kill(signal));
  const end = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)));
  release();
  const entries = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const scenarios = new Map();
  for (const { id, ...entry } of entries) if (id) scenarios.set(id, { ...scenarios.get(id), ...entry });
  const errors = entries.flatMap(({ error }) => error ?? []);
  const isComplete = [...scenarios.values()].every(({ status }) => status !== 'not run');
  return {
    scenarios: [...scenarios.values()],
    errors: isComplete ? errors : [...errors, `Not all scenarios ran. Playwright ended: ${end}.`],
  };
}
