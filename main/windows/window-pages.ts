import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import type { ServiceStatus } from '#api/desktop/service.ts';
import type { PageKind } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { WindowSession } from '#main/service/window-session.ts';
import { openPage } from './open-window.ts';

/** The time after which a slow start is shown. */
const FIRST_PAGE_DELAY_MS = 1_000;

interface Options {
  service: ServiceProcess;
  session: WindowSession;
  /** The packaged page shown while the service is down. */
  statusPage: string;
  pageKind(url: string): PageKind;
  /** The path of the web application's first page; default: the gallery. */
  firstPage?: string | undefined;
}

/** Keeps the window on the right page: the web application, signed in as the owner, or the status page while the service is down. */
export function followService(window: BrowserWindow, options: Options): { open(page: string): void } {
  const pages = new WindowPages(window, options);
  const follow = (status: ServiceStatus) => {
    pages.present(status).catch((error: unknown) => console.error('Couldn’t show the window’s page:', error));
  };
  options.service.onStatus(follow);
  follow(options.service.status());
  return {
    open: (page) => void pages.open(page).catch((error: unknown) => console.error('Couldn’t show a page in the window:', error)),
  };
}

class WindowPages {
  readonly #window: BrowserWindow;
  readonly #options: Options;
  /** The last page of the web application, without the origin. */
  #lastPage: string;
  /** A page that was requested and isn't open yet. */
  #requestedPage: string | undefined;
  /** Numbers the requested pages, so that a slow one can't replace a newer one. */
  #turn = 0;
  #openingStatusPage: Promise<void> | undefined;

  constructor(window: BrowserWindow, options: Options) {
    this.#window = window;
    this.#options = options;
    this.#lastPage = options.firstPage ?? '/';
    window.webContents.on('did-navigate', (_event, url) => this.#remember(url));
    window.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => isMainFrame && this.#remember(url));
  }

  async present(status: ServiceStatus) {
    this.#turn += 1;
    const turn = this.#turn;
    const isLate = () => turn !== this.#turn || this.#window.isDestroyed();
    if (status.state === 'stopped' || isLate()) return;
    if (status.state === 'running') return this.#openApplication(isLate);
    // Starting takes only a moment: no need to show another page first.
    if (status.state === 'starting' && this.#window.webContents.getURL() === '') await delay(FIRST_PAGE_DELAY_MS);
    if (!isLate()) await this.#openStatusPage();
  }

  /** Opens a page of the web application: now, or as soon as the service runs. */
  async open(page: string) {
    if (this.#window.isDestroyed()) return;
    this.#requestedPage = page;
    if (this.#shown() === 'app') await this.#openRequestedPage();
  }

  async #openRequestedPage() {
    const page = this.#requestedPage;
    this.#requestedPage = undefined;
    if (page !== undefined) await this.#window.loadURL(new URL(this.#window.webContents.getURL()).origin + page);
  }

  async #openApplication(isLate: () => boolean) {
    try {
      const url = await this.#options.session.forService();
      await this.#openingStatusPage?.catch(() => undefined); // whether it opened is checked next
      // A page with unfinished uploads refused to close, and continues.
      if (!isLate() && this.#shown() !== 'app') await this.#window.loadURL(url + this.#lastPage);
      // It may have been asked for while the first one was loading.
      if (!isLate() && this.#shown() === 'app') await this.#openRequestedPage();
    } catch (error) {
      if (isLate() || isAborted(error)) return;
      console.error('Couldn’t open the web application:', error);
      await this.#openStatusPage();
      this.#options.service.giveUp({ code: 'failed', detail: error instanceof Error ? error.message : String(error) });
    }
  }

  async #openStatusPage() {
    if (this.#shown() === 'status') return;
    this.#openingStatusPage ??= openPage(this.#window, this.#options.statusPage).finally(() => {
      this.#openingStatusPage = undefined;
    });
    await this.#openingStatusPage;
  }

  #shown() {
    return this.#options.pageKind(this.#window.webContents.getURL());
  }

  #remember(url: string) {
    if (this.#options.pageKind(url) !== 'app') return;
    const { pathname, search, hash } = new URL(url);
    this.#lastPage = pathname + search + hash;
  }
}

/** Whether loading ended because another page was opened, which isn't an error. */
function isAborted(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED';
}
