import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import type { ServiceStatus } from '#api/desktop.ts';
import type { PageKind } from '#main/ipc.ts';
import type { OwnerSession } from '#main/service/owner-session.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';

/** Milliseconds after which a start that takes longer is shown. */
const FIRST_PAGE_DELAY = 1_000;

interface Options {
  service: ServiceProcess;
  owner: OwnerSession;
  /** The packaged page for the time in which the service is down. */
  statusPage: string;
  pageKind(url: string): PageKind;
}

/** Keeps the window on the right page: the web application, signed in as the owner, or the status page while the service is down. */
export function followService(window: BrowserWindow, options: Options): void {
  const pages = new WindowPages(window, options);
  const follow = (status: ServiceStatus) => {
    pages.present(status).catch((error: unknown) => console.error('The window could not show its page:', error));
  };
  options.service.onStatus(follow);
  follow(options.service.status());
}

class WindowPages {
  readonly #window: BrowserWindow;
  readonly #options: Options;
  /** The page of the web application that was shown last, without the origin. */
  #lastPage = '/';
  /** Counts what was to be shown, so that a page which is ready too late does not replace a newer one. */
  #turn = 0;
  #openingStatusPage: Promise<void> | undefined;

  constructor(window: BrowserWindow, options: Options) {
    this.#window = window;
    this.#options = options;
    window.webContents.on('did-navigate', (_event, url) => this.#remember(url));
    window.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => isMainFrame && this.#remember(url));
  }

  async present(status: ServiceStatus) {
    this.#turn += 1;
    const turn = this.#turn;
    const isLate = () => turn !== this.#turn || this.#window.isDestroyed();
    if (status.state === 'stopped' || isLate()) return;
    if (status.state === 'running') return this.#openApplication(isLate);
    // A start takes a moment only: no need to show another page first.
    if (status.state === 'starting' && this.#window.webContents.getURL() === '') await delay(FIRST_PAGE_DELAY);
    if (!isLate()) await this.#openStatusPage();
  }

  async #openApplication(isLate: () => boolean) {
    try {
      const { url } = await this.#options.owner.forService();
      await this.#openingStatusPage?.catch(() => undefined); // whether it is there is looked at next
      // A page that has unfinished uploads has refused to go, and carries on by itself.
      if (!isLate() && this.#shown() !== 'app') await this.#window.loadURL(url + this.#lastPage);
    } catch (error) {
      if (isLate() || isAborted(error)) return;
      console.error('The web application could not be opened:', error);
      await this.#openStatusPage();
      this.#options.service.giveUp({ code: 'failed', detail: error instanceof Error ? error.message : String(error) });
    }
  }

  async #openStatusPage() {
    if (this.#shown() === 'status') return;
    this.#openingStatusPage ??= this.#window.loadFile(this.#options.statusPage).finally(() => {
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

/** Another page was opened before this one was there: nothing is wrong. */
function isAborted(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED';
}
