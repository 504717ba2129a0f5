import { EventEmitter } from 'node:events';
import type { HandlerDetails, IpcMainInvokeEvent, Item, WebContents, WebFrameMain } from 'electron';
import type { CDPSession } from 'playwright';
import { DoubleEvent } from '#test/desktop/double/event.ts';
import { nothing } from '#test/desktop/double/nothing.ts';
import { cloned, decode, encode } from '#test/desktop/double/processes/codec.ts';
import { ipcMain } from '#test/desktop/double/processes/ipc-main.ts';
import { nativeTheme } from '#test/desktop/double/system/system.ts';
import { devtools, isStopping } from './chromium.ts';
import { breakDestroyed } from './destroyed.ts';
import { interceptNavigation } from './navigation.ts';
import { pathsOf } from './page-files.ts';
import { closePopup } from './popup.ts';
import { PERMISSION_CHANNEL, PRELOAD_WORLD, preloadScripts } from './preload-script.ts';
import { defaultSession, permissions, requestDisplayMedia } from './session.ts';

type Doubled = 'id' | 'getURL' | 'isDestroyed' | 'send' | 'executeJavaScript' | 'setWindowOpenHandler' | 'session' | 'reload' | 'startDrag';

const all: DoubleWebContents[] = [];

/** A page's message through the preload runtime, which expects a response with the same number. */
interface Invocation {
  number: number;
  channel: string;
  input: string;
}

/** What pages are told about the colours that the app chose. */
const colours = () => ({
  features: nativeTheme.themeSource === 'system' ? [] : [{ name: 'prefers-color-scheme', value: nativeTheme.themeSource }],
});

export class DoubleWebContents extends EventEmitter implements Pick<WebContents, Doubled> {
  readonly id = all.push(this);
  readonly session = defaultSession;
  /** Resolves when there is a page. */
  readonly ready: Promise<CDPSession>;
  #page: CDPSession | undefined;
  #targetId = '';
  #url = '';
  /** The document whose `load` event was last. */
  #loaded = '';
  /** The document that the app waits for. */
  #loading: { loaderId: string; resolve(): void; reject(error: Error): void } | undefined;
  #destroyed = false;
  /** The world of the page's preload script, while there is one. */
  #preloadWorld: number | undefined;
  /** Addresses that the app loads itself, until they are requested: only a page's own navigation emits `will-navigate`. */
  readonly #appRequested = new Set<string>();
  #decideOpen: Parameters<WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });

  constructor(preload: string | undefined) {
    super();
    this.ready = this.#open(preload);
    this.ready.catch((error: unknown) => isStopping() || console.error('electron double: a window has no page:', error));
  }

  /** Playwright asks for the contents behind one of its pages. */
  static fromDevToolsTargetId(targetId: string) {
    return all.find((contents) => contents.#targetId === targetId);
  }

  static getAllWebContents() {
    return all.filter((contents) => !contents.#destroyed);
  }

  async #open(preload: string | undefined) {
    const { targetId } = await devtools().browser.send('Target.createTarget', { url: 'about:blank' });
    const page = await devtools().attach(targetId);
    this.#page = page;
    this.#targetId = targetId;
    this.#forwardEvents(page);
    const scripts = preloadScripts(preload);
    await Promise.all([
      page.send('Page.enable'),
      page.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      page.send('Runtime.enable'),
      page.send('Runtime.addBinding', { name: '__electronDoubleIpc', executionContextName: PRELOAD_WORLD }),
      page.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page }),
      page.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.preload, worldName: PRELOAD_WORLD }),
      interceptNavigation(page, targetId, {
        mayGo: (url) => this.#mayNavigate(url),
        mayFollow: (url, isMainFrame) => this.#isAllowed('will-redirect', url, isMainFrame),
        prepare: (url) => permissions.apply(devtools().browser, this as unknown as WebContents, url),
      }),
    ]);
    const follow = () => page.send('Emulation.setEmulatedMedia', colours());
    if (nativeTheme.themeSource !== 'system') await follow();
    nativeTheme.on('updated', () => void follow().catch(() => undefined)); // its page may be closed
    return page;
  }

  #forwardEvents(page: CDPSession) {
    page.on(
      'Runtime.bindingCalled',
      ({ payload, executionContextId }) => void this.#receive(page, JSON.parse(payload), executionContextId),
    );
    page.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name === PRELOAD_WORLD && auxData?.frameId === this.#targetId) this.#preloadWorld = id;
    });
    page.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#forgetWorld(executionContextId));
    page.on('Runtime.executionContextsCleared', () => this.#forgetWorld(this.#preloadWorld));
    page.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text } }) =>
      console.error(`[page] ${exception?.description ?? text}`),
    );
    page.on('Page.windowOpen', ({ url }) => this.#decideOpen({ url } as HandlerDetails));
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId) return;
      if (this.#loading?.loaderId !== frame.loaderId) this.#loading?.reject(new Error('interrupted'));
      this.#url = frame.url + (frame.urlFragment ?? '');
      this.emit('did-navigate', new DoubleEvent(), this.#url, 200, 'OK');
    });
    page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const isMainFrame = frameId === this.#targetId;
      if (isMainFrame) this.#url = url;
      this.emit('did-navigate-in-page', new DoubleEvent(), url, isMainFrame);
    });
    page.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId !== this.#targetId || name !== 'load' || this.#url === '') return;
      this.#loaded = loaderId;
      if (this.#loading?.loaderId === loaderId) this.#loading.resolve();
      this.emit('did-finish-load', new DoubleEvent());
    });
    devtools().browser.on('Target.targetCrashed', ({ targetId }) => {
      if (targetId === this.#targetId) this.emit('render-process-gone', new DoubleEvent(), { reason: 'crashed', exitCode: 1 });
    });
    devtools().browser.on('Target.targetCreated', ({ targetInfo: { targetId, openerId } }) => {
      if (openerId === this.#targetId) closePopup(targetId).catch(gone);
    });
  }

  #forgetWorld(id: number | undefined) {
    if (this.#preloadWorld === id) this.#preloadWorld = undefined;
  }

  #mayNavigate(url: string) {
    return this.#appRequested.delete(withoutFragment(url)) || this.#isAllowed('will-navigate', url, true);
  }

  #isAllowed(name: 'will-navigate' | 'will-redirect', url: string, isMainFrame: boolean) {
    const event = Object.assign(new DoubleEvent(), { url, isMainFrame });
    this.emit(name, event, url);
    return !event.defaultPrevented;
  }

  async #receive(page: CDPSession, { number, channel, input }: Invocation, contextId: number) {
    const response = await this.#invoke(page, contextId, channel, input);
    const expression = `__electronDoubleHost.respond(${number}, ${JSON.stringify(response)})`;
    await page.send('Runtime.evaluate', { expression, contextId }).catch(gone);
  }

  async #invoke(page: CDPSession, contextId: number, channel: string, input: string) {
    try {
      if (channel === PERMISSION_CHANNEL) return { value: encode(await this.#isPermitted(input)) };
      // Only the main frame has the preload script.
      const senderFrame = { url: this.#url, origin: new URL(this.#url).origin, parent: null } as WebFrameMain;
      const event = { sender: this as unknown as WebContents, senderFrame, processId: 1, frameId: 1 } as IpcMainInvokeEvent;
      const values = await pathsOf(page, contextId, decode(input) as unknown[]);
      return { value: encode(await ipcMain.invoke(channel, event, values)) };
    } catch (error) {
      return { error: String(error) };
    }
  }

  /** True, or the name of the error that the page gets. */
  async #isPermitted(input: string) {
    const [permission = 'unknown', isAudio, userGesture] = decode(input) as [
      Parameters<typeof permissions.isGranted>[1]?,
      boolean?,
      boolean?,
    ];
    if (!(await permissions.isGranted(this as unknown as WebContents, permission, this.#url))) return 'NotAllowedError';
    if (permission !== 'display-capture') return true;
    const frame = { url: this.#url, parent: null } as WebFrameMain;
    const asked = {
      frame,
      securityOrigin: 'file:///',
      videoRequested: true,
      audioRequested: isAudio === true,
      userGesture: userGesture === true,
    };
    return (await requestDisplayMedia(asked)) ?? true;
  }

  /** Loads a page as `loadURL` does; rejects as Electron does, with Chromium's error code. */
  async load(url: string) {
    this.#appRequested.add(withoutFragment(url));
    try {
      const page = await this.ready;
      const { loaderId, errorText } = await page.send('Page.navigate', { url });
      if (errorText) throw new Error(errorText);
      if (loaderId) await this.#whenLoaded(loaderId);
    } catch (error) {
      if (isStopping()) await new Promise<never>(nothing);
      throw loadingError(error, url);
    } finally {
      this.#appRequested.delete(withoutFragment(url));
    }
  }

  /** Resolves when a document has loaded; rejects when another one replaces it or the window closes. */
  #whenLoaded(loaderId: string): Promise<void> {
    if (this.#loaded === loaderId) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#loading = { loaderId, resolve, reject };
    return promise;
  }

  getURL() {
    return this.#url;
  }

  isDestroyed() {
    return this.#destroyed;
  }

  send(channel: string, ...values: unknown[]) {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    const text = encode(cloned(values));
    const expression = `__electronDoubleHost.deliver(${JSON.stringify(channel)}, ${JSON.stringify(text)})`;
    // A page that is being replaced receives nothing, as in Electron.
    const contextId = this.#preloadWorld;
    if (contextId !== undefined) this.#page?.send('Runtime.evaluate', { expression, contextId }).catch(gone);
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const page = await this.ready;
    const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Electron requires both on every system; the system itself ignores files that aren't there. */
  startDrag({ file, files, icon }: Partial<Item>) {
    if (!icon || (typeof icon !== 'string' && icon.isEmpty())) throw new Error("Must specify non-empty 'icon' option");
    if (!files?.length && !file) throw new Error("Must specify either 'file' or 'files' option");
  }

  setWindowOpenHandler(decide: Parameters<WebContents['setWindowOpenHandler']>[0]) {
    this.#decideOpen = decide;
  }

  reload() {
    this.#appRequested.add(withoutFragment(this.getURL()));
    this.#page?.send('Page.reload').catch(gone);
  }

  /** Whether the page lets its window close, or the app overrules it. */
  async mayUnload(): Promise<boolean> {
    const ask = `(() => {
      const event = document.createEvent('BeforeUnloadEvent');
      event.initEvent('beforeunload', false, true);
      return window.dispatchEvent(event) && !event.returnValue;
    })()`;
    const mayUnload = await this.#page?.send('Runtime.evaluate', { expression: ask, returnByValue: true }).then(
      ({ result }) => result.value !== false,
      () => true, // a page that has crashed isn't asked
    );
    if (mayUnload !== false) return true;
    const event = new DoubleEvent();
    this.emit('will-prevent-unload', event);
    return event.defaultPrevented;
  }

  /** Closes the page with its window. */
  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#loading?.reject(new Error('the window has closed'));
    breakDestroyed(this, ['id', 'session']);
    this.emit('destroyed');
    this.ready.then(() => devtools().browser.send('Target.closeTarget', { targetId: this.#targetId })).catch(gone);
  }
}

function withoutFragment(url: string) {
  return url.replace(/#.*/, '');
}

/** Ignores requests to a page that has just closed. */
function gone() {
  return undefined;
}

function loadingError(error: unknown, url: string) {
  const text = error instanceof Error ? error.message : String(error);
  const code = /ERR_[A-Z_]+/.exec(text)?.[0] ?? 'ERR_ABORTED'; // interrupted by another navigation
  return Object.assign(new Error(`${code} loading '${url}'`), { code, url });
}
