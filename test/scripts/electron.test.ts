import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';

const ELECTRON = pathToFileURL(join(import.meta.dirname, '../../scripts/electron.mjs')).href;

/** Looks for Electron on a system with these properties, where `folder` has a program in Electron's place. */
async function find(env: Record<string, string>, system: { uid?: number; proc?: string } = {}, args: string[] = []) {
  const options = JSON.stringify({ uid: 1000, proc: temporaryFolder(), ...system });
  const code = `const { findElectron } = await import('${ELECTRON}'); console.log(JSON.stringify(await findElectron(${JSON.stringify(args)}, ${options})));`;
  const { stdout } = await runProgram(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...homeEnv(temporaryFolder()), ...env },
  });
  return JSON.parse(stdout) as { program?: string; reason?: string };
}

function folderWithElectron() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return folder;
}

/** The kernel's settings on a system that restricts user namespaces. */
function restrictedSystem() {
  const proc = temporaryFolder();
  mkdirSync(join(proc, 'sys/kernel'), { recursive: true });
  writeFileSync(join(proc, 'sys/kernel/apparmor_restrict_unprivileged_userns'), '1\n');
  return proc;
}

describe.runIf(process.platform === 'linux')('the desktop app', () => {
  it('opens with the Electron of the folder in ELECTRON_OVERRIDE_DIST_PATH', async () => {
    const folder = folderWithElectron();
    expect(await find({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toEqual({ program: join(folder, 'electron') });
  });

  it('doesn’t open with an empty folder in ELECTRON_OVERRIDE_DIST_PATH, and downloads nothing into it', async () => {
    const folder = temporaryFolder();
    const reason = `There is no Electron in ${folder}, the value of ELECTRON_OVERRIDE_DIST_PATH.`;
    expect(await find({ ELECTRON_OVERRIDE_DIST_PATH: folder, ELECTRON_MIRROR: 'http://127.0.0.1:1/' })).toEqual({ reason });
  });

  it('doesn’t open without a display', async () => {
    expect(await find({})).toEqual({ reason: 'There is no display.' });
  });

  it('doesn’t open as root, whose program isn’t even downloaded', async () => {
    const { reason } = await find({ DISPLAY: ':0', ELECTRON_MIRROR: 'http://127.0.0.1:1/' }, { uid: 0 });
    expect(reason).toContain("Electron doesn't run as root");
  });

  it('doesn’t open where Electron’s sandbox can’t start, unless it is turned off', async () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: folderWithElectron() };
    const proc = restrictedSystem();
    expect((await find(env, { proc })).reason).toContain("Electron's sandbox can't start");
    expect(await find(env, { proc }, ['--no-sandbox'])).toHaveProperty('program');
  });
});
