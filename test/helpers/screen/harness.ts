import { onlineManager } from '@tanstack/react-query';
import { test as base, expect } from 'vitest';
import { commands, page } from 'vitest/browser';
import { DEFAULTS, type Preferences } from '#renderer/preferences/preference-values.ts';
import { setPreferences } from '#renderer/preferences/preferences.ts';
import { albumsApi } from './albums.ts';
import { expectNoFaults } from './audit.ts';
import { type BridgeCalls, FakeBridge } from './bridge.ts';
import { imagesApi } from './images.ts';
import { accountApi, Library, type LibraryOptions } from './library.ts';
import { WINDOW } from './screens.ts';
import { sentApi } from './sent.ts';
import { type Api, FakeService } from './service.ts';

export interface Options extends LibraryOptions {
  /** Handlers beside those of the library, or in their place. */
  api?: Api;
  language?: 'en' | 'zh';
  /** What this browser remembers. */
  browser?: Partial<Preferences>;
  /** The page is in the desktop app, which has these functions. */
  desktop?: BridgeCalls;
}

/** A page that is open. */
export interface Mounted {
  library: Library;
  service: FakeService;
  /** The desktop app around it, if it is in one. */
  desktop: FakeBridge;
  /** Opens an address in the same browser: as it is now, as after a reload, or another one. */
  reopen(address?: string): Promise<void>;
}

interface Fixtures {
  /** Opens an address, once for each test. */
  mount(address: string, options?: Options): Promise<Mounted>;
  /** Console errors and warnings. Must be empty at the end: a test that provokes some removes them. */
  complaints: string[];
  /** Addresses for which the page would have left this document, such as downloads. Must be empty at the end as well. */
  left: string[];
}

/** Shows the page of the window's address in `#root`. Returns a function that ends it. */
type Start = () => Promise<() => void>;

/** Tests of one page in Chromium. At the end of each, the page may have complained of nothing, broken no contract and show no visual faults. */
export const testsOf = (start: Start) =>
  base.extend<Fixtures>({
    complaints: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the required fixtures from this pattern
      async ({}, use) => {
        const { error, warn } = console;
        const complaints: string[] = [];
        const note =
          (report: typeof error): typeof error =>
          (...parts) => {
            complaints.push(parts.map(String).join(' '));
            report(...parts);
          };
        Object.assign(console, { error: note(error), warn: note(warn) });
        await use(complaints);
        Object.assign(console, { error, warn });
        expect(complaints).toEqual([]);
      },
      { auto: true },
    ],
    left: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the required fixtures from this pattern
      async ({}, use) => {
        const left: string[] = [];
        const stay = (event: NavigateEvent) => {
          if (event.destination.sameDocument) return;
          event.preventDefault();
          left.push(event.destination.url.replace(location.origin, ''));
        };
        navigation.addEventListener('navigate', stay);
        await use(left);
        navigation.removeEventListener('navigate', stay);
        expect(left).toEqual([]);
      },
      { auto: true },
    ],
    mount: async ({ task }, use) => {
      const opened: { faults: string[]; close(): void }[] = [];
      await use(async (address, { api, language = 'en', browser, desktop: calls, ...rest } = {}) => {
        const faults: string[] = [];
        const library = new Library(rest);
        const handlers = { ...accountApi(library), ...albumsApi(library), ...imagesApi(library), ...sentApi(library), ...api };
        const service = new FakeService(handlers, () => library.user, faults);
        const desktop = new FakeBridge(calls ?? {}, faults);
        if (calls) window.pixdock = desktop.bridge;
        const restoreNetwork = service.install();
        setPreferences({ ...DEFAULTS, language, ...browser });
        let stop = await open(address, start);
        opened.push({
          faults,
          close() {
            stop();
            restoreNetwork();
          },
        });
        const reopen = async (next = location.href) => {
          stop();
          stop = await open(next, start);
        };
        return { library, service, desktop, reopen };
      });
      try {
        const hasFailed = (task.result?.errors?.length ?? 0) > 0;
        if (!hasFailed && opened.length > 0) await expectNoFaults('at the end');
      } finally {
        for (const { close } of opened) close();
        await reset();
      }
      expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
    },
  });

async function open(address: string, start: Start): Promise<() => void> {
  history.replaceState(null, '', address);
  const root = Object.assign(document.createElement('div'), { id: 'root' });
  document.body.prepend(root);
  const stop = await start();
  return () => {
    stop();
    root.remove();
  };
}

/** Leaves the document as it was for the next test. */
async function reset() {
  window.pixdock = undefined;
  setPreferences(DEFAULTS);
  localStorage.clear();
  sessionStorage.clear();
  onlineManager.setOnline(true);
  window.scrollTo(0, 0);
  await commands.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  await page.viewport(WINDOW.width, WINDOW.height);
}
