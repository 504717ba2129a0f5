// Packages the finished build for one target.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';
import { writeNotices } from '../notices.mjs';
import { programOf } from '../programs.mjs';
import { configurationFor, signingNotice } from './overrides.mjs';
import { writeStage } from './stage.mjs';
import { flagsOf, nameOf } from './target.mjs';

const STAGE = 'release/stage';

/**
 * Packages `dist/` for a target, in the formats of electron-builder.yml or those given. `options` go to electron-builder; `electronDist`
 * names a folder with Electron; without `editPrograms`, Windows programs keep their icon, which needs Windows or Wine to change. Throws when a native module is missing or electron-builder fails.
 */
export function buildPackage(target, { formats = [], options = [], ...more } = {}) {
  writeStage(join(root, STAGE), target);
  writeNotices(target);
  const configuration = join(STAGE, 'electron-builder.json');
  writeFileSync(join(root, configuration), JSON.stringify(configurationFor(target, more), null, 2));
  const args = [...flagsOf(target, formats), '--publish', 'never', '--config', configuration, ...options];
  // A workflow's missing secrets are empty; electron-builder would take them for certificates.
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const run = spawnSync(process.execPath, [programOf('electron-builder'), ...args], { cwd: root, env, stdio: 'inherit' });
  if (run.status !== 0) throw new Error(`Packaging for ${nameOf(target)} failed: see electron-builder's message above.`);
  const notice = signingNotice(target);
  if (notice) console.error(`pixdock: ${notice}`);
}
