import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Milliseconds. The session bus responds at once or not at all. */
const BUS_LIMIT = 2_000;
const ASK_BUS = ['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
const HAS_OWNER = ['--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher'];

/**
 * Whether this desktop shows tray icons. GNOME without an extension and many Wayland desktops show none: no program there owns the
 * bus name of tray hosts. It can change while the app runs. Where the question can't be asked, a tray is assumed.
 * @param mayLackOne false where there always is one
 */
export async function hasTray(mayLackOne: boolean): Promise<boolean> {
  if (!mayLackOne) return true;
  try {
    const { stdout } = await run('gdbus', [...ASK_BUS, ...HAS_OWNER], { timeout: BUS_LIMIT });
    return !stdout.includes('false');
  } catch (error) {
    console.error('Whether this desktop shows tray icons is unknown:', error);
    return true;
  }
}
