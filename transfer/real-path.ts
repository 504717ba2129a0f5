import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A name that leads to another computer, or to a device: neither is touched. The message continues after the name. */
export class NotOnDisk extends Error {
  override name = 'NotOnDisk';
}

/** What is at a path once all links are followed. */
export interface Place {
  path: string;
  stats: Stats;
}

interface Options {
  /** Real paths of folders that the user has chosen, wherever they are. */
  trusted?: readonly string[];
  /** The name of a folder's entry that differs from this one in Unicode's normal form only. */
  spelling?: (folder: string, name: string) => Promise<string | undefined>;
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Follows the links in a path one by one, as `realpath` does, but none to another computer or to a device. A name is also found if Unicode's
 * normal form is another one on the disk.
 * @throws NotOnDisk, or the system's error
 */
export async function realPlace(path: string, { trusted = [], spelling = spellings() }: Options = {}): Promise<Place> {
  let { done, rest } = await begin('', path, trusted);
  let stats = await lstat(done);
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const entry = await entryOf(done, name, spelling);
    ({ stats } = entry);
    if (stats.isSymbolicLink()) {
      if (++links > MAX_LINKS) throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
      ({ done, rest } = await begin(done, await readlink(entry.path), trusted, rest));
      stats = await lstat(done);
    } else done = entry.path;
  }
  return { path: done, stats };
}

async function entryOf(folder: string, name: string, spelling: NonNullable<Options['spelling']>): Promise<Place> {
  const path = join(folder, name);
  try {
    return { path, stats: await lstat(path) };
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === 'ENOENT' ? await spelling(folder, name) : undefined;
    if (other === undefined) throw error;
    return { path: join(folder, other), stats: await lstat(join(folder, other)) };
  }
}

/** Where to begin: in the innermost trusted folder that contains what a name leads to, otherwise at the root of the disk. */
async function begin(from: string, name: string, trusted: readonly string[], below: readonly string[] = []) {
  const path = resolve(from, name, ...below);
  const { root } = parse(path);
  // A whole disk contains what others have mounted.
  const [folder] = trusted.filter((each) => each !== root && isWithin(path, each)).sort((one, other) => other.length - one.length);
  const done = folder ?? root;
  const way = relative(done, path);
  const mounts = await automounts();
  for (const each of folder === undefined ? [name, path] : [way]) {
    const reason = leadsAway(each, process.platform, mounts);
    if (reason) throw new NotOnDisk(reason);
  }
  return { done, rest: way.split(sep).filter(Boolean) };
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Where automounters look up other computers by name, unless they are configured otherwise. */
const AUTOMOUNTS = /^\/(?:net|misc|afs|network|system\/volumes\/data\/(?:net|home))(?:\/|$)/i;
const AUTOMOUNTED_HOMES = /^\/home(?:\/|$)/i;
/** Linux keeps a disk in memory among the devices, for ordinary files. */
const DEVICES = /^\/(?:dev(?!\/shm\/)|proc|sys)(?:\/|$)/i;
/** Names that are devices in every folder, with any extension (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const RESERVED = /(?:^|[\\/])(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:[.:][^\\/]*)?(?:[\\/]|$)/i;

/**
 * Why a name mustn't be touched, by the name alone; undefined if it is on this computer's disks.
 * @param automounts folders below which this computer mounts others
 */
export function leadsAway(name: string, platform: NodeJS.Platform, automounts: readonly string[] = []): string | undefined {
  // Windows takes slashes in both directions, and documents travel.
  if (/^(?:[\\/]{2}|\\\?\?\\)/.test(name)) return 'is on another computer';
  if (platform === 'win32') return RESERVED.test(name) ? 'is a device' : undefined;
  if (DEVICES.test(name)) return 'is a device';
  const isMounted = AUTOMOUNTS.test(name) || (platform === 'darwin' && AUTOMOUNTED_HOMES.test(name));
  return isMounted || automounts.some((folder) => isWithin(name, folder)) ? 'is on another computer' : undefined;
}

let mounts: Promise<string[]> | undefined;

/** What Linux says about automounters. It writes spaces as octal numbers. */
function automounts(): Promise<string[]> {
  const decode = (text: string) => text.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  mounts ??= readFile('/proc/self/mounts', 'utf8').then(
    (text) => [...text.matchAll(/^\S+ (\S+) autofs /gm)].map(([, folder = '']) => decode(folder)),
    () => [],
  );
  return mounts;
}

/** Looks up names in Unicode's other normal form, and reads each folder once. */
export function spellings(): NonNullable<Options['spelling']> {
  const folders = new Map<string, Promise<Map<string, string>>>();
  return async (folder, name) => {
    if (/^[\x20-\x7e]*$/.test(name)) return undefined;
    const names = folders.get(folder) ?? readdir(folder).then((all) => new Map(all.map((each) => [each.normalize('NFC'), each])));
    folders.set(folder, names);
    return (await names).get(name.normalize('NFC'));
  };
}

/**
 * The path of a file that another program has taken from a document: it may be percent-encoded, an address, end in a query, or be in another
 * normal form of Unicode. The name as given comes first, also if there is no such file.
 * @throws NotOnDisk for an address on another computer
 */
export async function pathAsWritten(text: string): Promise<string> {
  const [given, ...others] = waysToRead(text);
  const found = await firstAt([given, ...others], async (path) => (await lstat(path)) && path);
  return found ?? (await firstAt([given, ...others], async (path) => (await realPlace(path)).path)) ?? given;
}

async function firstAt(paths: readonly string[], find: (path: string) => Promise<string>): Promise<string | undefined> {
  for (const path of paths) {
    const found = path.includes('\0') ? undefined : await find(path).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function waysToRead(text: string): [string, ...string[]] {
  const given = /^file:/i.test(text) ? pathOfAddress(text) : text;
  const bare = given.replace(/[?#].*$/s, '');
  const others = [decodeName(given), bare, decodeName(bare)];
  // Decoding may not turn a path into one of another computer.
  return [given, ...others.filter((path) => path !== given && path !== '' && !leadsAway(path, process.platform))];
}

function pathOfAddress(address: string): string {
  const url = URL.parse(address.replaceAll(' ', '%20'));
  if (!url) return address;
  if (url.host) throw new NotOnDisk('is on another computer');
  try {
    return fileURLToPath(url);
  } catch {
    // No file has such a name, as with an encoded slash.
    return address;
  }
}

/** A name without percent-encoding; as it is where a percent sign belongs to it. */
export function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
