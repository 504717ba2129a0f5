import { app, type BrowserWindow } from 'electron';
import type { FoundPixdock } from '#api/desktop/joining.ts';
import type { ShortcutState } from '#api/desktop/preferences.ts';
import type { ChosenFolder, Hosting, SetupState, Wishes } from '#api/desktop/setup.ts';
import type { Clock } from '#main/base/clock.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { describe } from '#main/base/reasons.ts';
import type { JoinedRole, Role, RoleStore } from '#main/base/role.ts';
import { askForPaths } from '#main/base/system/file-dialogs.ts';
import { relaunch } from '#main/base/system/relaunch.ts';
import { createIpc, type Ipc } from '#main/ipc.ts';
import { connectJoining } from '#main/joining/calls.ts';
import { createJoining } from '#main/joining/join.ts';
import type { TokenFile } from '#main/joining/token-file.ts';
import type { Texts } from '#main/texts/en.ts';
import { openOutside } from '#main/windows/navigation.ts';
import { bringToFront, openPage, openWindow, whenPresentable } from '#main/windows/open-window.ts';
import { isPackagedPage } from '#main/windows/pages.ts';
import { checkDataFolder, requireUsable } from './data-folder.ts';

const SIZE = { width: 1040, height: 760, minWidth: 360, minHeight: 480 };

/** Tries keys for the shortcut that captures. */
interface Shortcuts {
  try(keys: string): Promise<ShortcutState>;
  suggest(): Promise<SetupState['captureShortcut']>;
  /** Whether they can only have keys that the desktop's portal knows. */
  isPortal: boolean;
}

interface Options {
  paths: AppPaths;
  preferences: PreferenceStore;
  roles: RoleStore;
  token: TokenFile;
  clock: Clock;
  texts(): Texts;
  /** This computer's name. */
  computer: string;
  /** The program to start again, if it isn't the running one. */
  program: string | undefined;
  /** The system's folder for screenshots. */
  screenshots(): Promise<string | undefined>;
  shortcuts: Shortcuts;
  /** Searches the local network until the returned function is called. */
  discover(listener: (found: FoundPixdock[]) => void): () => void;
  /** Calls back with the address of a server that a link asks to join. */
  onJoinLink(listener: (address: string) => void): void;
}

/** The user's choice, and the page to show first. */
export interface Chosen {
  role: Role;
  open: Hosting['open'];
  /** The system's folder for screenshots, if it should be watched. */
  screenshots?: string | undefined;
  /** Closes the first page; call it once another window is there, since the first page's end would be the app's. */
  close(): void;
}

/** Asks a new user what this computer should do, in a window of its own. Closing it quits the app. */
export function firstLaunch(options: Options): Promise<Chosen> {
  const { paths, preferences, roles, token, clock, texts, computer } = options;
  const chosen = Promise.withResolvers<Chosen>();
  const pageKind = (url: string) => (isPackagedPage(url, paths.setupPage) ? ('setup' as const) : null);
  const window = openWindow({ paths, pageKind, texts, ...SIZE, title: 'Pixdock' });
  whenPresentable(window, () => bringToFront(window));
  const quit = () => app.quit();
  const show = () => (window.isDestroyed() ? relaunch(options.program) : bringToFront(window));
  window.once('closed', quit);
  app.on('second-instance', show);

  let endSearch = (): void => undefined;
  let wantsScreenshots = false;
  let joinLink: string | undefined;

  async function finish(role: Role, open: Hosting['open']) {
    const screenshots = wantsScreenshots ? await options.screenshots() : undefined;
    roles.set(role);
    endSearch();
    ipc.close();
    window.off('closed', quit);
    app.off('second-instance', show);
    chosen.resolve({ role, open, screenshots, close: () => window.destroy() });
  }

  function keep({ watchScreenshots, captureShortcut }: Wishes) {
    wantsScreenshots = watchScreenshots;
    preferences.set({ captureShortcut });
  }

  function host({ name, dataDir, lan, open, ...wishes }: Hosting) {
    joining.cancel();
    preferences.set({ lan });
    keep(wishes);
    const role: Role = { kind: 'host', ...(dataDir !== null && { dataDir }), ...(name !== '' && { siteName: name }) };
    // After the response to the page, which has no handlers from then on.
    setImmediate(() => void finish(role, open).catch(chosen.reject));
  }

  function joined(role: JoinedRole, secret: string) {
    token.write(secret);
    finish(role, 'gallery').catch(chosen.reject);
  }

  const joining = createJoining({ device: computer, clock, onConfirmed: joined });
  const ipc = createIpc((error) => describe(error, texts()));
  ipc.addWindow({ windows: () => (window.isDestroyed() ? [] : [window]), pages: ['setup'], pageKind });
  handleSetupCalls(ipc, { ...options, preferences: preferences.get, window, joinLink: () => joinLink, onHost: host });
  options.onJoinLink((address) => {
    joinLink = address;
    show();
    ipc.tell('joinLink', address);
  });
  connectJoining(ipc, { joining, openOutside });
  ipc.handle({
    async startJoining({ address, ...wishes }) {
      keep(wishes);
      await joining.start(address);
      return undefined;
    },
    findPixdocks() {
      endSearch();
      endSearch = options.discover((found) => ipc.tell('foundPixdocks', found));
      return undefined;
    },
  });
  ipc.requireHandlers();
  openPage(window, paths.setupPage).catch(chosen.reject);
  return chosen.promise;
}

interface Parts {
  roles: Pick<RoleStore, 'usualDataDir' | 'hasData'>;
  preferences(): Pick<SetupState, 'language' | 'lan'>;
  texts(): Texts;
  /** This computer's name. */
  computer: string;
  screenshots(): Promise<string | undefined>;
  shortcuts: Shortcuts;
  window: BrowserWindow;
  /** The address that the latest link asks to join. */
  joinLink(): string | undefined;
  onHost(hosting: Hosting): void;
}

/** Handles the calls from the first page, except those about joining. */
function handleSetupCalls(
  ipc: Ipc,
  { roles, preferences, texts, computer, screenshots, shortcuts, window, joinLink, onHost }: Parts,
): void {
  ipc.handle({
    getSetup: async () => ({
      language: preferences().language,
      lan: preferences().lan,
      captureShortcut: await shortcuts.suggest(),
      portalShortcuts: shortcuts.isPortal,
      computer,
      dataDir: roles.usualDataDir,
      hasData: roles.hasData(),
      screenshots: (await screenshots()) ?? null,
      joinLink: joinLink() ?? null,
    }),
    tryShortcut: shortcuts.try,
    async chooseDataFolder(purpose): Promise<ChosenFolder | null> {
      const title = purpose === 'new' ? texts().chooseNewDataFolder : texts().chooseDataFolder;
      const [path] = await askForPaths('dataFolder', window, { title, properties: ['openDirectory', 'createDirectory'] });
      return path === undefined ? null : checkDataFolder(path, purpose);
    },
    async hostHere(hosting) {
      if (hosting.dataDir === null) await requireUsable(roles.usualDataDir);
      onHost(hosting);
    },
  });
}
