import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type ElectronApplication, expect, type Page } from 'playwright/test';
import { childrenOf } from './processes.ts';

/** The scenarios run on the Electron double or on Electron itself. */
export type ElectronKind = 'double' | 'real';

/** What a project of playwright.config.ts runs the scenarios on. */
export interface Platform {
  kind: ElectronKind;
  /** The app's program in a package. Undefined: Electron runs the project's folder. */
  program?: string;
  /** What the double does as Electron does only on some computers: traits of double/traits.ts, or `all`. */
  hostile?: string;
}

export interface MenuEntry {
  label: string;
  enabled: boolean;
  checked: boolean;
  entries: MenuEntry[];
}

/** The record that `recorder.cjs` keeps in the main process. */
interface Recorder {
  tray: Electron.Tray | undefined;
  menu: Electron.Menu | undefined;
  contextMenu: Electron.Menu | undefined;
  toolTip: string;
  notifications: Electron.Notification[];
  shortcuts: Map<string, () => void>;
  opened: string[];
  dialogs: string[];
  chosen: string[][];
}
type Main = typeof globalThis & { __recorder: Recorder };

/** A running desktop app: its page through Playwright, everything else through its main process. */
export class Desktop {
  readonly kind: ElectronKind;
  /** The app's program in a package. */
  readonly program: string | undefined;
  readonly hostile: string | undefined;
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly #process: ChildProcess;

  constructor({ kind, program, hostile }: Platform, app: ElectronApplication, page: Page) {
    this.kind = kind;
    this.program = program;
    this.hostile = hostile;
    this.app = app;
    this.page = page;
    this.#process = app.process();
  }

  /** The same app with the window that an action opens. */
  async withNextWindow(action: () => Promise<unknown>): Promise<Desktop> {
    const [page] = await Promise.all([this.app.waitForEvent('window'), action()]);
    return new Desktop(this, this.app, page);
  }

  /** Chooses the button of the next message boxes by its number. */
  chooseButton(button: number): Promise<void> {
    return this.app.evaluate(({ dialog }, response) => {
      dialog.showMessageBox = async () => ({ response, checkboxChecked: false });
    }, button);
  }

  /** The tray's current menu. */
  menu(): Promise<MenuEntry[]> {
    return this.app.evaluate(() => {
      const list = (menu: Electron.Menu | null | undefined): MenuEntry[] =>
        (menu?.items ?? [])
          .filter(({ type }) => type !== 'separator')
          .map(({ label, enabled, checked, submenu }) => ({ label, enabled, checked, entries: list(submenu) }));
      return list((globalThis as Main).__recorder.menu);
    });
  }

  /** Labels of the application menu, or of the last context menu, with those of their submenus; separators are empty. */
  otherMenu(which: 'appMenu' | 'contextMenu'): Promise<string[]> {
    return this.app.evaluate(({ Menu }, name) => {
      const list = (menu: Electron.Menu | null | undefined): string[] =>
        (menu?.items ?? []).flatMap(({ label, submenu }) => [label, ...list(submenu)]);
      return list(name === 'appMenu' ? Menu.getApplicationMenu() : (globalThis as Main).__recorder.contextMenu);
    }, which);
  }

  /** Labels of the tray's menu, or of a submenu in it. */
  async labels(...path: string[]): Promise<string[]> {
    let entries = await this.menu();
    for (const label of path) entries = entries.find((entry) => entry.label === label)?.entries ?? [];
    return entries.map(({ label }) => label);
  }

  /** Clicks an entry of the tray's menu, by its path of labels, as soon as it is there: the menu follows changes a little later. */
  async press(...path: string[]): Promise<void> {
    const press = () =>
      this.app.evaluate((_electron, labels) => {
        let menu = (globalThis as Main).__recorder.menu;
        let item: Electron.MenuItem | undefined;
        for (const label of labels) {
          item = menu?.items.find((candidate) => candidate.label === label);
          if (!item) return `The tray has no "${label}", but ${menu?.items.map((other) => other.label).join(', ')}`;
          menu = item.submenu;
        }
        item?.click();
        return 'pressed';
      }, path);
    await expect.poll(press, { timeout: 15_000 }).toBe('pressed');
  }

  /** Clicks the tray icon. */
  clickTray(): Promise<void> {
    return this.app.evaluate(() => void (globalThis as Main).__recorder.tray?.emit('click', {} as never));
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

  /** Addresses opened in the system's browser, and folders in its file manager. */
  opened(): Promise<string[]> {
    return this.app.evaluate(() => (globalThis as Main).__recorder.opened);
  }

  /** The shortcuts that the app has registered. */
  shortcuts(): Promise<string[]> {
    return this.app.evaluate(() => [...(globalThis as Main).__recorder.shortcuts.keys()]);
  }

  pressShortcut(keys: string): Promise<void> {
    return this.app.evaluate((_electron, wanted) => {
      const press = (globalThis as Main).__recorder.shortcuts.get(wanted);
      if (!press) throw new Error(`${wanted} is not registered`);
      press();
    }, keys);
  }

  /** The files that the next open dialog returns. */
  choose(...paths: string[]): Promise<void> {
    return this.app.evaluate((_electron, chosen) => void (globalThis as Main).__recorder.chosen.push(chosen), paths);
  }

  clipboardText(): Promise<string> {
    return this.app.evaluate(({ clipboard }) => clipboard.readText());
  }

  clearClipboard(): Promise<void> {
    return this.app.evaluate(({ clipboard }) => clipboard.clear());
  }

  /** Writes bytes of a media type to the clipboard, as another program would. */
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

  /** Drops files, or data by media type, onto the middle of a page through the browser's own input. */
  async drop(files: readonly string[], items: Readonly<Record<string, string>> = {}, page = this.page): Promise<void> {
    const cdp = await page.context().newCDPSession(page);
    const [x, y] = await page.evaluate(() => [innerWidth / 2, innerHeight / 2]);
    const list = Object.entries(items).map(([mimeType, data]) => ({ mimeType, data }));
    const data = { items: list, files: [...files], dragOperationsMask: 1 };
    const dropped = page.evaluate(
      () => new Promise<void>((resolve) => document.addEventListener('drop', () => resolve(), { once: true, capture: true })),
    );
    // Systems send `dragOver` all the time; a page that was busy would miss a single one, and with it the drop.
    for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
      await cdp.send('Input.dispatchDragEvent', { type, x: x ?? 0, y: y ?? 0, data });
    }
    // Detaching earlier would cancel a drop that the page hasn't seen yet.
    await dropped;
    await cdp.detach();
  }

  /** Changes the network that `--network` plays, and wakes the computer up. */
  joinNetwork(address: string): Promise<void> {
    return this.app.evaluate(({ powerMonitor }, joined) => {
      process.env.PIXDOCK_TEST_NETWORK = joined;
      powerMonitor.emit('resume');
    }, address);
  }

  windowVisible(): Promise<boolean | undefined> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  }

  closeWindow(): Promise<void> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  }

  /** Empties the clipboard and the record of what has been handed to the system. */
  async forget(): Promise<void> {
    await this.clearClipboard();
    await this.app.evaluate(() => {
      const { __recorder: recorder } = globalThis as Main;
      for (const list of [recorder.notifications, recorder.opened, recorder.dialogs, recorder.chosen]) list.length = 0;
    });
  }

  pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The service's process id, or undefined while there is none. */
  async servicePid(): Promise<number | undefined> {
    if (process.platform === 'linux') return childrenOf(this.pid()).find(({ command }) => command.includes('server/child.js'))?.pid;
    return this.app.evaluate(({ app }) => app.getAppMetrics().find(({ name }) => name === 'Pixdock service')?.pid);
  }

  /** Kills the app's main process, as a crash would. */
  async crash(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  isRunning(): boolean {
    const { exitCode, signalCode } = this.#process;
    return exitCode === null && signalCode === null;
  }

  /** Ends the app if it still runs. */
  async end(): Promise<void> {
    if (this.isRunning()) await this.app.close();
  }

  /** Quits from the tray and returns the exit code. */
  async quit(): Promise<number | null> {
    const child = this.#process;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await this.press('Quit Pixdock').catch((error: Error) => {
      if (!/closed|destroyed/.test(error.message)) throw error; // it may exit before it responds
    });
    return ended;
  }
}
