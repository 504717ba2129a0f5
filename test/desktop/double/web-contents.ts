import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { HandlerDetails, IpcMainInvokeEvent, WebContents, WebFrameMain } from 'electron';
import type { CDPSession, Frame, Page } from 'playwright';
import { browserContext } from './chromium.ts';
import { decode, encode } from './codec.ts';
import { DoubleEvent } from './event.ts';
import { ipcMain } from './ipc-main.ts';
import { DOUBLE_VERSION } from './machine.ts';
import { interceptNavigation } from './navigation.ts';
import { pathsOf } from './page-files.ts';
import { defaultSession } from './session.ts';

type Doubled = 'id' | 'getURL' | 'isDestroyed' | 'send' | 'executeJavaScript' | 'setWindowOpenHandler' | 'session' | 'reload';

const runtime = readFileSync(new URL('./preload-runtime.js', import.meta.url), 'utf8');
const all: DoubleWebContents[] = [];

/** A page's message through the preload runtime. */
interface Invocation {
  channel: string;
  input: string;
}

export class DoubleWebContents extends EventEmitter implements Pick<WebContents, Doubled> {
  readonly id = all.push(this);
  readonly session = defaultSession;
  /** Resolves when there is a page. */
  readonly ready: Promise<{ page: Page; cdp: CDPSession; targetId: string }>;
  #page: Page | undefined;
  #targetId = '';
  #destroyed = false;
  /** Addresses that the app loads itself, until they are requested: only a page's own navigation emits `will-navigate`. */
  readonly #appRequested = new Set<string>();
  #sending: Promise<unknown> = Promise.resolve();
  #decideOpen: Parameters<WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });

  constructor(preload: string | undefined) {
    super();
    this.ready = this.#open(preload);
    this.ready.catch((error: unknown) => console.error('electron double: a window has no page:', error));
  }

  /** Playwright asks for the contents behind one of its pages. */
  static fromDevToolsTargetId(targetId: string) {
    return all.find((contents) => contents.#targetId === targetId);
  }

  static getAllWebContents() {
    return all.filter((contents) => !contents.#destroyed);
  }

  async #open(preload: string | undefined) {
    const page = await browserContext().newPage();
    const cdp = await page.context().newCDPSession(page);
    const { targetInfo } = await cdp.send('Target.getTargetInfo');
    this.#page = page;
    this.#targetId = targetInfo.targetId;
    await page.exposeBinding('__electronDoubleIpc', ({ frame }, invocation: Invocation) => this.#receive(cdp, frame, invocation));
    await page.addInitScript({ content: withPreload(preload ? readFileSync(preload, 'utf8') : '') });
    await this.#forwardEvents(page, cdp);
    return { page, cdp, targetId: targetInfo.targetId };
  }

  async #forwardEvents(page: Page, cdp: CDPSession) {
    page.on('load', () => this.emit('did-finish-load', new DoubleEvent()));
    page.on('crash', () => this.emit('render-process-gone', new DoubleEvent(), { reason: 'crashed', exitCode: 1 }));
    page.on('popup', (popup) => void popup.close());
    page.on('pageerror', (error) => console.error(`[page] ${error.stack}`));
    cdp.on('Page.windowOpen', ({ url }) => this.#decideOpen({ url } as HandlerDetails));
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (!frame.parentId) this.emit('did-navigate', new DoubleEvent(), frame.url + (frame.urlFragment ?? ''), 200, 'OK');
    });
    cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      this.emit('did-navigate-in-page', new DoubleEvent(), url, frameId === this.#targetId);
    });
    await cdp.send('Page.enable');
    await interceptNavigation(cdp, this.#targetId, (url) => {
      if (this.#appRequested.delete(withoutFragment(url))) return true;
      const event = Object.assign(new DoubleEvent(), { url, isMainFrame: true });
      this.emit('will-navigate', event, url);
      return !event.defaultPrevented;
    });
  }

  async #receive(cdp: CDPSession, frame: Frame, { channel, input }: Invocation) {
    try {
      const senderFrame = { url: frame.url(), origin: new URL(frame.url()).origin, parent: null } as WebFrameMain;
      const event = { sender: this as unknown as WebContents, senderFrame, processId: 1, frameId: 1 } as IpcMainInvokeEvent;
      const values = await pathsOf(cdp, decode(input) as unknown[]);
      return { value: encode(await ipcMain.invoke(channel, event, values)) };
    } catch (error) {
      return { error: String(error) };
    }
  }

  /** Loads a page as `loadURL` does; rejects as Electron does, with Chromium's error code. */
  async load(url: string) {
    const { page } = await this.ready;
    this.#appRequested.add(withoutFragment(url));
    try {
      await page.goto(url, { waitUntil: 'load' });
    } catch (error) {
      throw loadingError(error, url);
    } finally {
      this.#appRequested.delete(withoutFragment(url));
    }
  }

  getURL() {
    const url = this.#page?.url() ?? '';
    return url === 'about:blank' ? '' : url;
  }

  isDestroyed() {
    return this.#destroyed;
  }

  send(channel: string, ...values: unknown[]) {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
    const text = encode(structuredClone(values));
    const deliver = `globalThis.__electronDoubleHost?.deliver(${JSON.stringify(channel)}, ${JSON.stringify(text)})`;
    // A page that is being replaced receives nothing, as in Electron.
    this.#sending = this.#sending.then(() => this.#page?.evaluate(deliver)).catch(gone);
  }

  async executeJavaScript(code: string) {
    return (await this.ready).page.evaluate(code);
  }

  setWindowOpenHandler(decide: Parameters<WebContents['setWindowOpenHandler']>[0]) {
    this.#decideOpen = decide;
  }

  reload() {
    this.#appRequested.add(withoutFragment(this.getURL()));
    void this.#page?.reload();
  }

  /** Closes the page with its window. */
  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
    void this.ready.then(({ page }) => page.close()).catch(gone);
  }
}

function withoutFragment(url: string) {
  return url.replace(/#.*/, '');
}

/** Ignores requests to a page that has just closed. */
function gone() {
  return undefined;
}

function withPreload(code: string) {
  const filling: Record<string, string> = {
    ENCODE: `(${encode})`,
    DECODE: `(${decode})`,
    PLATFORM: process.platform,
    VERSION: DOUBLE_VERSION,
    'PRELOAD;': code,
  };
  return runtime.replace(/ENCODE|DECODE|PLATFORM|VERSION|PRELOAD;/g, (placeholder) => filling[placeholder] ?? '');
}

function loadingError(error: unknown, url: string) {
  const text = error instanceof Error ? error.message : String(error);
  const code = /ERR_[A-Z_]+/.exec(text)?.[0] ?? 'ERR_ABORTED'; // interrupted by another navigation
  return Object.assign(new Error(`${code} loading '${url}'`), { code, url });
}
