import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux lists its drives by the identifiers of their file systems. */
const DRIVES = '/dev/disk/by-uuid';

/**
 * Identifies the drive and folder behind a path, so that another drive in its place is noticed. A device's number isn't enough: Linux
 * and macOS give it to the next drive. Undefined where nothing lasting is known. @throws the system's error
 */
export async function identify(path: string, platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  const found = await stat(path, { bigint: true });
  // On Windows this is the serial number of the volume.
  if (platform === 'win32') return `serial:${found.dev}`;
  const uuid = platform === 'linux' ? await uuidOf(found.dev) : undefined;
  if (uuid !== undefined) return `uuid:${uuid}`;
  // File systems without a time of creation give none, or that of the last change.
  const born = found.birthtimeNs > 0n && found.birthtimeNs !== found.ctimeNs;
  return born ? `folder:${found.ino}:${found.birthtimeNs}` : undefined;
}

async function uuidOf(device: bigint): Promise<string | undefined> {
  const names = await readdir(DRIVES).catch(() => []); // containers have none
  for (const name of names) {
    const drive = await stat(join(DRIVES, name), { bigint: true }).catch(() => undefined);
    if (drive?.rdev === device) return name;
  }
  return undefined;
}

/** Whether a folder with the first identity can be the one with the second. Where nothing is known, it can. */
export function canBe(known: string | undefined, now: string | undefined): boolean {
  if (known === undefined || known === now) return true;
  // A drive that had an identifier has it whenever it is there. Otherwise a time of creation may come and go with the file system's driver.
  return now === undefined && known.startsWith('folder:');
}
