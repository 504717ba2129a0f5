import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { windowsTool } from '#main/base/system/env.ts';

/** How long a system tool may take to respond. */
const TOOL_TIMEOUT_MS = 5_000;

/** The names GNOME gives the folder, in the most widely spoken languages; Windows uses the first in any language. */
const NAMES = [
  'Screenshots',
  '截图',
  '屏幕截图',
  '螢幕擷圖',
  'スクリーンショット',
  '스크린샷',
  'Bildschirmfotos',
  'Captures d’écran',
  "Captures d'écran",
  'Capturas de pantalla',
  'Capturas de tela',
  'Schermate',
  'Снимки экрана',
];

/** The known folder of Windows for screenshots, as the registry names it. */
const WINDOWS_KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders';
const WINDOWS_VALUE = '{B7BEDE81-DF94-4682-A7D8-57A52620B86F}';

/** Where the user's folders are. */
export interface Places {
  platform: NodeJS.Platform;
  /** Absolute paths. */
  home: string;
  pictures: string;
  /** Settings of programs; `~/.config` on Linux. */
  config: string;
}

/** Runs a program of the system and returns its output. Rejects when it fails. */
type Run = (program: string, ...args: string[]) => Promise<string>;

const runTool: Run = async (program, ...args) =>
  (await promisify(execFile)(program, args, { timeout: TOOL_TIMEOUT_MS, windowsHide: true })).stdout;

/**
 * The system's folder for screenshots. Undefined if there is none, or if screenshots go to the desktop or another folder for all
 * kinds of files: watching that would upload what was never meant to be shared.
 */
export async function findScreenshotsFolder(places: Places, run: Run = runTool): Promise<string | undefined> {
  for (const candidate of [...(await configured(places, run)), ...NAMES.map((name) => join(places.pictures, name))]) {
    if (isShared(candidate, places)) continue;
    const found = await stat(candidate).catch(() => undefined);
    if (found?.isDirectory()) return candidate;
  }
  return undefined;
}

/** The folder set in the system's own tool. */
async function configured({ platform, home, config }: Places, run: Run): Promise<string[]> {
  const chosen = await readSetting(platform, config, run).catch(() => ''); // not set, or the tool isn't installed
  const path = chosen
    .trim()
    .replace(/^~(?=\/|$)/, home)
    .replace(/%USERPROFILE%/i, () => home);
  return isAbsolute(path) ? [path] : [];
}

async function readSetting(platform: NodeJS.Platform, config: string, run: Run): Promise<string> {
  if (platform === 'darwin') return run('/usr/bin/defaults', 'read', 'com.apple.screencapture', 'location');
  if (platform === 'win32') {
    const output = await run(windowsTool('reg.exe'), 'query', WINDOWS_KEY, '/v', WINDOWS_VALUE);
    return /REG_(?:EXPAND_)?SZ\s+(.+)/.exec(output)?.[1] ?? '';
  }
  // Spectacle, the tool of KDE.
  const location = /^(?:imageSaveLocation|defaultSaveLocation)=(.+)$/m.exec(await readFile(join(config, 'spectaclerc'), 'utf8'))?.[1] ?? '';
  return location.startsWith('file:') ? fileURLToPath(location.trim()) : location;
}

function isShared(path: string, { home, pictures }: Places) {
  const folder = resolve(path);
  return [home, pictures, join(home, 'Downloads'), join(home, 'Documents')].includes(folder) || basename(folder) === 'Desktop';
}
