import { execFile } from 'node:child_process';
import { lstat, realpath, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Why a database isn't safe in a folder. `network`: locks and write order can't be relied on there. `synchronised`: another program
 * copies the files while they change, and puts older versions back.
 */
export type FolderHazard = 'network' | 'synchronised';

/** The system's functions that this needs; replaced in tests. */
export interface FolderSystem {
  platform: NodeJS.Platform;
  /** @throws the system's error, `ENOENT` where the folder doesn't exist */
  realpath(path: string): Promise<string>;
  /** Linux: the type of a folder's file system. */
  fileSystemOf(path: string): Promise<number>;
  /** macOS: the output of `mount`. */
  mounts(): Promise<string>;
  exists(path: string): Promise<boolean>;
}

const THIS_SYSTEM: FolderSystem = {
  platform: process.platform,
  realpath,
  fileSystemOf: async (path) => (await statfs(path)).type,
  mounts: async () => (await promisify(execFile)('/sbin/mount', { timeout: 5_000 })).stdout,
  exists: (path) =>
    lstat(path).then(
      () => true,
      () => false, // or unreadable, such as another user's folder
    ),
};

/** NFS, SMB (three generations) and AFS: https://man7.org/linux/man-pages/man2/statfs.2.html */
const NETWORK_TYPES = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f]);
const NETWORK_NAMES = ['nfs', 'smbfs', 'afpfs', 'webdav'];
/** The folders that the usual programs create. */
const SYNCHRONISED =
  /^(?:OneDrive(?: - .+)?|Dropbox(?: \(.+\))?|Google ?Drive.*|iCloud ?Drive|Mobile Documents|CloudStorage|Nextcloud|ownCloud)$/;
/** What Syncthing, Nextcloud, ownCloud and Dropbox leave in the folders that they synchronise, whatever those are called. */
const MARKS = ['.stfolder', '.nextcloudsync.log', '.owncloudsync.log', '.dropbox.cache'];

/** The hazard of a folder, which need not exist yet; undefined if there is none or it can't be determined. */
export async function hazardOf(folder: string, system: FolderSystem = THIS_SYSTEM): Promise<FolderHazard | undefined> {
  const path = await existingPart(folder, system);
  if (await isOnNetwork(path, system)) return 'network';
  return (await isSynchronised(folder, path, system)) ? 'synchronised' : undefined;
}

/** The nearest folder that exists. On Windows, mapped network drives become paths such as `\\server\share`. */
async function existingPart(folder: string, system: FolderSystem): Promise<string> {
  try {
    return await system.realpath(folder);
  } catch {
    // It doesn't exist, or can't be read; then the service reports why it can't use it.
    return dirname(folder) === folder ? folder : existingPart(dirname(folder), system);
  }
}

async function isOnNetwork(path: string, { platform, fileSystemOf, mounts }: FolderSystem): Promise<boolean> {
  if (platform === 'win32') return /^\\\\[^?.]/.test(path);
  try {
    if (platform === 'darwin') return NETWORK_NAMES.includes(mountTypeOf(path, await mounts()));
    // Some systems return the number signed.
    return NETWORK_TYPES.has((await fileSystemOf(path)) >>> 0);
  } catch {
    return false; // unknown
  }
}

/** The type in the line of the longest mount that contains the path: `//ada@nas/pics on /Volumes/pics (smbfs, nodev)`. */
function mountTypeOf(path: string, mounts: string): string {
  let found = { at: '', type: '' };
  for (const [, at = '', type = ''] of mounts.matchAll(/ on (\/.*) \((\w+)[,)]/g)) {
    const contains = at === '/' || path === at || path.startsWith(`${at}/`);
    if (contains && at.length >= found.at.length) found = { at, type };
  }
  return found.type;
}

async function isSynchronised(folder: string, path: string, { exists }: FolderSystem): Promise<boolean> {
  const names = `${folder}/${path}`.split(/[\\/]/);
  if (names.some((name) => SYNCHRONISED.test(name))) return true;
  for (let at = path; ; at = dirname(at)) {
    const found = await Promise.all(MARKS.map((mark) => exists(join(at, mark))));
    if (found.includes(true)) return true;
    if (dirname(at) === at) return false;
  }
}
