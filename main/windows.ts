import { setTimeout as delay } from 'node:timers/promises';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import type { ServiceStatus } from '#api/desktop.ts';
import type { PageKind } from './ipc.ts';
import { guardNavigation } from './navigation.ts';
import type { OwnerSession } from './owner-session.ts';
import type { AppPaths } from './paths.ts';
import type { PreferenceStore } from './preferences.ts';
import type { ServiceProcess } from './server-process.ts';
import { windowPlace } from './window-place.ts';

/** Milliseconds after which a start that takes longer is shown. */
const FIRST_PAGE_DELAY = 1_000;

export interface MainWindow {
  /** Undefined before the window has been made. */
  get(): BrowserWindow | undefined;
  /** Brings it to the front. */
  show(): void;
}

interface Options {
  paths: AppPaths;
  service: ServiceProcess;
  owner: OwnerSession;
  preferences: PreferenceStore;
  pageKind(url: string): PageKind;
  /** True once the app is about to end: the window then closes instead of hiding. */
  quitting(): boolean;
  /** Asks the person whether to end although the page has unfinished uploads. */
  mayQuit(): boolean;
  /** Called when the window has been closed to the tray. */
  onHidden(): void;
  /** Called when the person turns to something else. */
  onBlur(): void;
}

/** The one window: the web application, signed in as the owner, or the status page while the service is down. */
export function setupMainWindow(options: Options): MainWindow {
  const { service, owner, paths, pageKind } = options;
  const window = openWindow(options);
  guardNavigation(window.webContents, pageKind);
  rememberPlace(window, options.preferences);

  /** The page of the web application that was shown last, without the origin. */
  let lastPage = '/';
  window.webContents.on('did-navigate', (_event, url) => remember(url));
  window.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => isMainFrame && remember(url));
  function remember(url: string) {
    if (pageKind(url) !== 'app') return;
    const { pathname, search, hash } = new URL(url);
    lastPage = pathname + search + hash;
  }

  /** Counts what was shown, so that a page which is ready too late does not replace a newer one. */
  let turn = 0;
  async function present(status: ServiceStatus) {
    turn += 1;
    const mine = turn;
    if (status.state === 'stopped' || window.isDestroyed()) return;
    if (status.state !== 'running') {
      // A start takes a moment only: no need to show another page first.
      if (status.state === 'starting' && window.webContents.getURL() === '') await delay(FIRST_PAGE_DELAY);
      return mine === turn && !window.isDestroyed() ? showStatusPage() : undefined;
    }
    try {
      const { url } = await owner.forService();
      await statusPage?.catch(() => undefined); // whether it is there is looked at next
      // A page that has unfinished uploads has refused to go, and carries on by itself.
      const stayed = pageKind(window.webContents.getURL()) === 'app';
      if (mine === turn && !stayed) await window.loadURL(url + lastPage);
    } catch (error) {
      if (mine !== turn || window.isDestroyed() || isAborted(error)) return;
      console.error('The web application could not be opened:', error);
      await showStatusPage();
      service.giveUp({ code: 'failed', detail: error instanceof Error ? error.message : String(error) });
    }
  }
  let statusPage: Promise<void> | undefined;
  async function showStatusPage() {
    if (pageKind(window.webContents.getURL()) === 'status') return;
    statusPage ??= window.loadFile(paths.statusPage).finally(() => {
      statusPage = undefined;
    });
    await statusPage;
  }
  const follow = (status: ServiceStatus) => {
    present(status).catch((error: unknown) => console.error('The window could not show its page:', error));
  };
  service.onStatus(follow);
  follow(service.status());

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') window.webContents.reload();
  });
  window.webContents.on('will-prevent-unload', (event) => {
    if (options.quitting() && options.mayQuit()) event.preventDefault();
  });
  window.on('close', (event) => {
    if (options.quitting()) return;
    event.preventDefault();
    window.hide();
    options.onHidden();
  });

  window.on('blur', options.onBlur);

  const show = () => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  app.on('activate', show);
  app.on('second-instance', show);
  return { get: () => (window.isDestroyed() ? undefined : window), show };
}

/** Another page was opened before this one was there: nothing is wrong. */
function isAborted(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED';
}

function openWindow({ paths, preferences }: Options) {
  const last = preferences.windowState();
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...windowPlace(last, workAreas),
    minWidth: 360,
    minHeight: 480,
    show: false,
    icon: paths.icon,
    title: 'Pixdock',
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131a1c' : '#ffffff',
    webPreferences: { preload: paths.preload, contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false },
  });
  if (last?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  return window;
}

/** Keeps place and size for the next start; a moment after the last change, since dragging changes them many times a second. */
function rememberPlace(window: BrowserWindow, preferences: PreferenceStore) {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    if (!window.isDestroyed()) preferences.rememberWindow({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, 500);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', save);
}
