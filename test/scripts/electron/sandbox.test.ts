import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

interface Places {
  proc: string;
  owner: number | undefined;
}
const { sandboxProblem, userProblem } = (await import('../../../scripts/electron/sandbox.mjs' as string)) as {
  sandboxProblem(program: string, args: string[], places: Places): string | undefined;
  userProblem(args: string[], system: { uid: number }): string | undefined;
};

const APPARMOR = 'sys/kernel/apparmor_restrict_unprivileged_userns';
/** A program that an AppArmor profile names, or not. */
const profiled = (profile: string) => `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && echo '${profile}'\n`;

/** A computer with these settings of the kernel, and Electron with a helper of this mode, owned by this test's user. */
function setUp(settings: Record<string, string>, { mode = 0o755, program = profiled('unconfined'), name = 'dist' } = {}) {
  const folder = temporaryFolder();
  const proc = join(folder, 'proc');
  for (const [setting, value] of Object.entries({ 'self/attr/current': 'unconfined', ...settings })) {
    mkdirSync(join(proc, setting, '..'), { recursive: true });
    writeFileSync(join(proc, setting), `${value}\n`);
  }
  const electron = join(folder, name, 'electron');
  const helper = join(folder, name, 'chrome-sandbox');
  mkdirSync(join(folder, name));
  writeFileSync(electron, program, { mode: 0o755 });
  writeFileSync(helper, '');
  chmodSync(helper, mode);
  const check = (args: string[] = [], owner = process.getuid?.()) => sandboxProblem(electron, args, { proc, owner });
  return { check, helper };
}

describe.runIf(process.platform === 'linux')('Electron’s sandbox', () => {
  it.each([
    [APPARMOR, '1'],
    ['sys/kernel/unprivileged_userns_clone', '0'],
    ['sys/user/max_user_namespaces', '0'],
  ])('can’t start when %s is %s, which is explained with the command that helps', (setting, value) => {
    const { check, helper } = setUp({ [setting]: value });
    expect(check()).toBe(
      `Electron's sandbox can't start: this system restricts user namespaces
(${setting.replace('sys/', '').replace('/', '.')} is ${value}). Run this command, so
that Electron uses its helper instead, and start again:
  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    );
  });

  it('can start on a system without restrictions, or that doesn’t know them', () => {
    const { check } = setUp({ [APPARMOR]: '0', 'sys/kernel/unprivileged_userns_clone': '1', 'sys/user/max_user_namespaces': '95415' });
    expect(check()).toBeUndefined();
    expect(setUp({}).check()).toBeUndefined();
  });

  it('can start once the command has run', () => {
    const { check } = setUp({ [APPARMOR]: '1' }, { mode: 0o4755 });
    expect(check()).toBeUndefined();
  });

  it.each([
    { what: 'doesn’t run as its owner', mode: 0o755 },
    { what: 'others can’t run', mode: 0o4750 },
    { what: 'belongs to another user', mode: 0o4755, owner: 54_321 },
  ])('can’t start with a helper that $what', ({ mode, owner }) => {
    expect(setUp({ [APPARMOR]: '1' }, { mode }).check([], owner)).toContain('sudo chmod 4755');
  });

  it('can start when AppArmor has a profile for the program, which lifts only AppArmor’s restriction', () => {
    const program = profiled('pixdock-development (unconfined)');
    expect(setUp({ [APPARMOR]: '1' }, { program }).check()).toBeUndefined();
    expect(setUp({ 'sys/kernel/unprivileged_userns_clone': '0' }, { program }).check()).toContain('sudo chmod 4755');
  });

  it('can’t start when the profile is that of a container', () => {
    const { check } = setUp(
      { [APPARMOR]: '1', 'self/attr/current': 'docker-default (enforce)' },
      { program: profiled('docker-default (enforce)') },
    );
    expect(check()).toContain('sudo chmod 4755');
  });

  it('is not needed with --no-sandbox', () => {
    expect(setUp({ [APPARMOR]: '1' }).check(['--no-sandbox'])).toBeUndefined();
  });

  it('gets a command that a shell can read, whatever the folder’s name', () => {
    const name = "it's Electron; rm -rf $HOME";
    const { check, helper } = setUp({ [APPARMOR]: '1' }, { name });
    const [, command] = /^ {2}sudo (.*) && sudo /m.exec(check() ?? '') ?? [];
    expect(execFileSync('sh', ['-c', `printf '%s\n' ${command}`], { encoding: 'utf8' }).split('\n')).toContain(helper);
  });

  it('makes Electron refuse to run as root, which is explained', () => {
    expect(userProblem([], { uid: 0 })).toBe("Electron doesn't run as root. Start Pixdock as an ordinary user.");
    expect(userProblem(['--no-sandbox'], { uid: 0 })).toBeUndefined();
    expect(userProblem([], { uid: 1000 })).toBeUndefined();
  });
});
