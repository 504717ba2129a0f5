import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright/test';

/** What the scenarios run on: the Electron double, or Electron itself. */
export type ElectronKind = 'double' | 'real';

const ROOT = join(import.meta.dirname, '../..');
const RECORDER = join(import.meta.dirname, 'recorder.cjs');
const DOUBLE = join(import.meta.dirname, 'double/program');

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

/** The program and its arguments that start the app without Playwright. */
export function launchProgram(kind: ElectronKind, userData: string, env: Record<string, string> = {}) {
  const command = kind === 'double' ? join(DOUBLE, 'electron') : String(createRequire(import.meta.url)('electron'));
  const args = [...(kind === 'real' ? ['--no-sandbox'] : []), ...appArguments(userData)];
  return { command, args, env: { ...environment(), ...env } };
}

function appArguments(userData: string, more: readonly string[] = []) {
  return ['-r', RECORDER, '--lang=en-US', `--user-data-dir=${userData}`, ...more, ROOT];
}

function environment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(inherited), PIXDOCK_PORT: '0', ELECTRON_DOUBLE_NODE: process.execPath };
}

/** Starts the app as a person would, and answers a driver for it. */
export async function launchDesktop(kind: ElectronKind, { userData, args = [], env = {} }: LaunchOptions): Promise<Desktop> {
  mkdirSync(userData, { recursive: true });
  // Electron's package reads this where Playwright asks it for the program to run.
  if (kind === 'double') process.env.ELECTRON_OVERRIDE_DIST_PATH = DOUBLE;
  const app = await _electron.launch({ args: appArguments(userData, args), cwd: ROOT, env: { ...environment(), ...env } });
  return new Desktop(kind, app, await app.firstWindow());
}

/** A running desktop app: its page through Playwright, and what is around the page through its main process. */
export class Desktop {
  readonly kind: ElectronKind;
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly #process: ChildProcess;

  constructor(kind: ElectronKind, app: ElectronApplication, page: Page) {
    this.kind = kind;
    this.app = app;
    this.page = page;
    this.#process = app.process();
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

  /** Drags files from outside onto the middle of the page and lets go, through the browser's own input. */
  async drop(files: readonly string[]): Promise<void> {
    const cdp = await this.page.context().newCDPSession(this.page);
    const [x, y] = await this.page.evaluate(() => [innerWidth / 2, innerHeight / 2]);
    const data = { items: [], files: [...files], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await cdp.send('Input.dispatchDragEvent', { type, x: x ?? 0, y: y ?? 0, data });
    }
    await cdp.detach();
  }

  windowVisible(): Promise<boolean | undefined> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  }

  closeWindow(): Promise<void> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  }

  pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The service's process id, or undefined while there is none. */
  async servicePid(): Promise<number | undefined> {
    if (process.platform === 'linux') return childrenOf(this.pid()).find(({ command }) => command.includes('server/child.js'))?.pid;
    return this.app.evaluate(({ app }) => app.getAppMetrics().find(({ name }) => name === 'Pixdock service')?.pid);
  }

  /** Ends the app's main process as a crash would. */
  async crash(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  /** Ends the app if it still runs. */
  async end(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) await this.app.close();
  }

  /** Quits from the tray and answers the exit code. */
  async quit(): Promise<number | null> {
    const child = this.#process;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await this.press('Quit Pixdock').catch((error: Error) => {
      if (!/closed|destroyed/.test(error.message)) throw error; // it may end before it answers
    });
    return ended;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
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
