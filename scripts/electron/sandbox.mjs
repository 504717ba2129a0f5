// Whether Electron can start its sandbox here. Without one, Chromium aborts before the app can explain anything.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The kernel's settings that keep ordinary programs from creating user namespaces, each with the value that does so. */
const APPARMOR = 'sys/kernel/apparmor_restrict_unprivileged_userns';
const RESTRICTIONS = [
  [APPARMOR, '1'],
  ['sys/kernel/unprivileged_userns_clone', '0'],
  ['sys/user/max_user_namespaces', '0'],
];

/** The settings of this kernel that restrict user namespaces, such as `kernel.apparmor_restrict_unprivileged_userns is 1`. */
export function kernelRestrictions(proc = '/proc') {
  return restrictionsIn(proc).map(describe);
}

const restrictionsIn = (proc) => RESTRICTIONS.filter(([name, restricted]) => read(join(proc, name)) === restricted);
const describe = ([setting, value]) => `${setting.slice('sys/'.length).replace('/', '.')} is ${value}`;

/** Whether the user turned the sandbox off. */
function isOff(args) {
  return args.includes('--no-sandbox') || process.env.ELECTRON_DISABLE_SANDBOX !== undefined;
}

/** Why Electron won't run as this user, or undefined. */
export function userProblem(args, { uid = process.geteuid?.() } = {}) {
  if (process.platform !== 'linux' || uid !== 0 || isOff(args)) return undefined;
  return "Electron doesn't run as root. Start Pixdock as an ordinary user.";
}

/**
 * Why Electron's sandbox can't start, with the command that helps, or undefined.
 * @param proc where the kernel has its settings
 * @param owner the user that the sandbox's helper must belong to
 */
export function sandboxProblem(program, args, { proc = '/proc', owner = 0 } = {}) {
  if (process.platform !== 'linux' || isOff(args)) return undefined;
  const [restriction] = restrictionsIn(proc);
  const helper = join(dirname(program), 'chrome-sandbox');
  if (!restriction || isSetuid(helper, owner) || (restriction[0] === APPARMOR && hasProfile(program, proc))) return undefined;
  const quoted = `'${helper.replaceAll("'", "'\\''")}'`;
  return `Electron's sandbox can't start: this system restricts user namespaces
(${describe(restriction)}). Run this command, so
that Electron uses its helper instead, and start again:
  sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted}`;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // This kernel doesn't have the setting.
  }
}

/** Whether the helper always runs as its owner (the setuid bit). */
function isSetuid(helper, owner) {
  const stat = statSync(helper, { throwIfNoEntry: false });
  return stat?.uid === owner && (stat.mode & 0o4001) === 0o4001;
}

/** Whether AppArmor has a profile for the program, which is how administrators exempt one from the restriction. */
function hasProfile(program, proc) {
  const script = "console.log(require('fs').readFileSync('/proc/self/attr/current', 'utf8'))";
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const { stdout, status } = spawnSync(program, ['-e', script], { env, encoding: 'utf8', timeout: 10_000 });
  // In a container, every program has the profile that this one has.
  return status === 0 && stdout.trim() !== read(join(proc, 'self/attr/current'));
}
