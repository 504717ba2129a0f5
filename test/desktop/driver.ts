import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright/test';

/** What the scenarios run on: the Electron double, or Electron itself. */
export type ElectronKind = 'double' | 'real';

const ROOT = join(import.meta.dirname, '../..');
const RECORDER = join(import.meta.dirname, 'recorder.cjs');
const DOUBLE = join(import.meta.dirname, 'double/dist');

export interface LaunchOptions {
  /** Everything that the app keeps; the same folder again is the same person's next start. */
  userData: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

export interface MenuEntry {
  label: string;
  enabled: boolean;
  checked: boolean;
  entries: MenuEntry[];
}

/** What `recorder.cjs` keeps in the main process. */
interface Recorder {
  menu: Electron.Menu | undefined;
  toolTip: string;
  notifications: Electron.Notification[];
  shortcuts: Map<string, () => void>;
  opened: string[];
  dialogs: string[];
  chosen: string[][];
}
type Main = typeof globalThis & { __recorder: Recorder };

/** Starts the app as a person would, and answers a driver for it. */
export async function launchDesktop(kind: ElectronKind, { userData, args = [], env = {} }: LaunchOptions): Promise<Desktop> {
  mkdirSync(userData, { recursive: true });
  // Electron's package reads this where Playwright asks it for the program to run.
  if (kind === 'double') process.env.ELECTRON_OVERRIDE_DIST_PATH = DOUBLE;
  const inherited = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const app = await _electron.launch({
    args: ['-r', RECORDER, `--user-data-dir=${userData}`, ...args, ROOT],
    cwd: ROOT,
    env: { ...inherited, PIXDOCK_PORT: '0', ELECTRON_DOUBLE_NODE: process.execPath, ...env },
  });
  return new Desktop(app, await app.firstWindow());
}

/** A running desktop app: its page through Playwright, and what is around the page through its main process. */
export class Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;

  constructor(app: ElectronApplication, page: Page) {
    this.app = app;
    this.page = page;
  }

  /** The tray's menu as it is now. */
  menu(): Promise<MenuEntry[]> {
    return this.app.evaluate(() => {
      const list = (menu: Electron.Menu | null | undefined): MenuEntry[] =>
        (menu?.items ?? [])
          .filter(({ type }) => type !== 'separator')
          .map(({ label, enabled, checked, submenu }) => ({ label, enabled, checked, entries: list(submenu) }));
      return list((globalThis as Main).__recorder.menu);
    });
  }

  /** Labels of the tray's menu, or of a submenu in it. */
  async labels(...path: string[]): Promise<string[]> {
    let entries = await this.menu();
    for (const label of path) entries = entries.find((entry) => entry.label === label)?.entries ?? [];
    return entries.map(({ label }) => label);
  }

  /** Presses an entry of the tray's menu, by its labels from the top. */
  press(...path: string[]): Promise<void> {
    return this.app.evaluate((_electron, labels) => {
      let menu = (globalThis as Main).__recorder.menu;
      let item: Electron.MenuItem | undefined;
      for (const label of labels) {
        item = menu?.items.find((candidate) => candidate.label === label);
        if (!item) throw new Error(`The tray has no "${label}", but ${menu?.items.map((other) => other.label).join(', ')}`);
        menu = item.submenu;
      }
      item?.click();
    }, path);
  }

  toolTip(): Promise<string> {
    return this.app.evaluate(() => (globalThis as Main).__recorder.toolTip);
  }

  notifications(): Promise<{ title: string; body: string }[]> {
    return this.app.evaluate(() => (globalThis as Main).__recorder.notifications.map(({ title, body }) => ({ title, body })));
  }

  clickLastNotification(): Promise<void> {
    return this.app.evaluate(() => void (globalThis as Main).__recorder.notifications.at(-1)?.emit('click', {} as never));
  }

  /** Addresses that were given to the system's browser. */
  opened(): Promise<string[]> {
    return this.app.evaluate(() => (globalThis as Main).__recorder.opened);
  }

  pressShortcut(keys: string): Promise<void> {
    return this.app.evaluate((_electron, wanted) => {
      const press = (globalThis as Main).__recorder.shortcuts.get(wanted);
      if (!press) throw new Error(`${wanted} is not registered`);
      press();
    }, keys);
  }

  /** What the next dialog for opening files answers. */
  choose(...paths: string[]): Promise<void> {
    return this.app.evaluate((_electron, chosen) => void (globalThis as Main).__recorder.chosen.push(chosen), paths);
  }

  clipboardText(): Promise<string> {
    return this.app.evaluate(({ clipboard }) => clipboard.readText());
  }

  clearClipboard(): Promise<void> {
    return this.app.evaluate(({ clipboard }) => clipboard.clear());
  }

  /** Puts something on the clipboard as another program would: bytes by media type. */
  copyOutside(type: string, bytes: Buffer | string): Promise<void> {
    const base64 = Buffer.from(bytes).toString('base64');
    return this.app.evaluate(
      ({ clipboard, ClipboardItem }, content) => {
        const blob = new Blob([Uint8Array.from(atob(content.base64), (character) => character.charCodeAt(0))], { type: content.type });
        return clipboard.write([new ClipboardItem({ [content.type]: blob })]);
      },
      { type, base64 },
    );
  }

  windowVisible(): Promise<boolean | undefined> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  }

  closeWindow(): Promise<void> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  }

  pid(): number {
    return this.app.process().pid ?? 0;
  }

  /** The service's process id, or undefined while there is none. */
  servicePid(): number | undefined {
    return childrenOf(this.pid()).find(({ command }) => /server[\\/]child\.js|Pixdock service/.test(command))?.pid;
  }

  /** Quits from the tray and answers the exit code. */
  async quit(): Promise<number | null> {
    const child = this.app.process();
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await this.press('Quit Pixdock').catch((error: Error) => {
      if (!/closed|destroyed/.test(error.message)) throw error; // it may end before it answers
    });
    return ended;
  }
}

/** Processes that `parent` has started. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((match) => (match && Number(match[2]) === parent ? [{ pid: Number(match[1]), command: match[3] ?? '' }] : []));
}
