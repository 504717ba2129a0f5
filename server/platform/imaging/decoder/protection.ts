import { execFile } from 'node:child_process';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BusyError } from '#server/platform/base/errors.ts';
import { decoderEnv } from '#server/platform/config/allocator.ts';

/** What confines decoders beside Node's permission model, which doesn't bind native code (decision 127). */
export interface Protection {
  readonly name: 'bubblewrap' | 'user' | 'permissions';
  /** Runs in bubblewrap. */
  readonly isWrapped?: true;
  /** Runs as this user and group. */
  readonly user?: number;
}

/** The user without rights on every Linux, and its group. */
const NOBODY = 65_534;

/** Where all distributions install it. */
const BUBBLEWRAP = '/usr/bin/bwrap';

const ONLY_PERMISSIONS: Protection = { name: 'permissions' };

const isSource = import.meta.url.endsWith('.ts');

/** The program's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
const PROGRAM = pathOf(isSource ? './program.ts' : '../server/decoder.js');

/** The service's modules, its packages, and the file that says how to load them. Electron starts decoders without permissions. */
const CODE = 'electron' in process.versions ? [] : codePaths(pathOf(isSource ? '../../../' : '../'));

/** JavaScript may read its own code, load libvips and start threads; not read or write other files, start processes or open an inspector. */
const PERMISSIONS = [
  '--permission',
  ...CODE.map((path) => `--allow-fs-read=${path}`),
  '--allow-addons',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
];

/** V8 would let garbage grow until the process counts as worn, and starting another costs more than collecting it. */
const SMALL_HEAP = '--max-semi-space-size=1';

/** The system's programs and libraries, which some systems keep elsewhere. */
const SYSTEM = ['/usr', '/lib', '/lib64', '/etc/ld.so.cache', '/nix/store'];

function codePaths(modules: string): string[] {
  const sharp = fileURLToPath(import.meta.resolve('sharp'));
  const packages = sharp.slice(0, sharp.indexOf('node_modules') + 'node_modules'.length);
  // The packages may be in a folder that is a link, which Node looks into first.
  // The sources are in several folders; the bundle is in one.
  const contract = isSource ? [join(modules, '../api')] : [];
  return [...new Set([modules, ...contract, packages, join(modules, '../node_modules'), join(modules, '../package.json')])];
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** A program with namespaces of its own: no network, no other processes, and of the file system only what it runs from, read-only. */
function wrapped(program: string): string[] {
  const files = [...SYSTEM, process.execPath, ...CODE, program].flatMap((path) => ['--ro-bind-try', path, path]);
  const own = ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
  return ['--unshare-all', '--cap-drop', 'ALL', '--new-session', '--die-with-parent', ...own, ...files, '--'];
}

/**
 * How a decoder is started.
 * @param program replaced in tests of what it may do
 */
export function commandOf({ isWrapped, user }: Protection, program = PROGRAM) {
  const node = [...PERMISSIONS, SMALL_HEAP];
  return {
    program,
    execPath: isWrapped ? BUBBLEWRAP : process.execPath,
    execArgv: isWrapped ? [...wrapped(program), process.execPath, ...node] : node,
    options: {
      cwd: parse(process.execPath).root,
      env: decoderEnv(),
      detached: isWrapped ?? false,
      ...(user !== undefined && { uid: user, gid: user }),
    },
  };
}

/** What this system may offer, the best first. */
export function protections(): Protection[] {
  if (process.platform !== 'linux') return [ONLY_PERMISSIONS];
  const isRoot = process.getuid?.() === 0;
  const bubblewrap = { name: 'bubblewrap', isWrapped: true } as const;
  return [
    ...(isRoot ? [{ ...bubblewrap, user: NOBODY }] : []),
    bubblewrap,
    ...(isRoot ? [{ name: 'user', user: NOBODY } as const] : []),
    ONLY_PERMISSIONS,
  ];
}

/**
 * Tests whether decoders start with a protection: without a channel, the program loads everything and ends.
 * @throws BusyError when the system can't start anything
 */
export async function isUsable(protection: Protection): Promise<boolean> {
  const { program, execPath, execArgv, options } = commandOf(protection);
  try {
    await promisify(execFile)(execPath, [...execArgv, program], { ...options, timeout: START_MS });
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && SHORTAGES.has(code)) throw new BusyError();
    return false;
  }
}

const START_MS = 60_000;
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The best protection that works here. @throws BusyError */
async function findProtection(): Promise<Protection> {
  for (const protection of protections()) if (protection === ONLY_PERMISSIONS || (await isUsable(protection))) return protection;
  return ONLY_PERMISSIONS;
}

let finding: Promise<Protection> | undefined;
let chosen: Protection | undefined;
const { promise, resolve } = Promise.withResolvers<Protection>();

/** Resolves with the first decoder: the protection that all of them get. */
export const protectionInUse = promise;

/** The protection that all decoders of this process get, once `prepareProtection` has found it. */
export function currentProtection(): Protection {
  return chosen ?? ONLY_PERMISSIONS;
}

/** Finds out, once, how to protect decoders. @throws BusyError when the system can't start anything */
export async function prepareProtection(): Promise<void> {
  finding ??= findProtection();
  try {
    chosen = await finding;
    resolve(chosen);
  } catch (error) {
    finding = undefined;
    throw error;
  }
}
