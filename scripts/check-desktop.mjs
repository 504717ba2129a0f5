// `npm run check:desktop`: what the desktop app does on this computer. Starts it on Electron in the user's session, runs the scenarios, and
// writes versions, permissions, results and what to try by hand to a text file. Arguments are Playwright's, such as `-- --grep tray`.
// Exits with 0 if everything passed, 1 if not, and 2 if no Electron ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBuilt } from './build.mjs';

await bootstrap(import.meta.url);
await ensureBuilt();
// Loaded only now: they need the packages.
const { findElectron } = await import('./electron.mjs');
const { checklistFor } = await import('./check-desktop/checklist.mjs');
const { describePermissions, describeSystem } = await import('./check-desktop/computer.mjs');
const { judge, reportText } = await import('./check-desktop/report.mjs');
const { runScenarios } = await import('./check-desktop/scenarios.mjs');
const { startInSession } = await import('./check-desktop/session.mjs');

const BEFORE_SCENARIOS = `The scenarios open and close windows for about ten minutes, and use the clipboard. Leave keyboard and mouse alone.
Ctrl-C ends them; the results so far are kept.`;
const folder = mkdtempSync(join(tmpdir(), 'pixdock-check-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const time = new Date().toISOString();
const { program, reason } = await findElectron();
if (program) console.log('Starting the app. It closes again automatically.');
const session = program && (await startInSession(program, folder));
if (session?.probe) console.log(BEFORE_SCENARIOS);
const run = session?.probe && (await runScenarios(process.argv.slice(2), folder));

const { verdict, code } = judge({ reason, session, run });
const byHand = checklistFor(process.platform, (process.env.XDG_CURRENT_DESKTOP ?? '').split(':'));
const file = resolve(`desktop-check-${time.replaceAll(/:|\..*/g, '')}.txt`);
const title = `Pixdock ${version()} on ${time}`;
writeFileSync(
  file,
  reportText({ title, verdict, system: describeSystem(), permissions: await describePermissions(), session, run, byHand }),
);
console.log(`\nTo try by hand, in about an hour:\n\n${byHand.replaceAll(/^ *Seen:\n/gm, '')}\n${verdict}\n`);
console.log(`The details, and room for what you see, are in\n  ${file}`);
process.exit(code);

function version() {
  const { version: number } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' });
  return stdout ? `${number} (${stdout.trim()})` : number;
}
