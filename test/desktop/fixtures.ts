import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect as baseExpect, type TestInfo, type WorkerInfo } from 'playwright/test';
import sharp from 'sharp';
import { expectNoFaults } from '#test/e2e/layout.ts';
import type { Desktop, Platform } from './driver.ts';
import { type LaunchOptions, launchDesktop, launchProgram } from './launch.ts';

interface Running {
  file: string;
  desktop: Desktop;
  home: string;
  log: string[];
}

/** One running app at a time, which the tests of a file use one after the other: starting it costs more than most of them. */
class SharedApp {
  readonly #platform: Platform;
  #running: Running | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** The app that a file's earlier tests have used, without what they left on the clipboard or were notified of; a new one for the first. */
  async for(file: string): Promise<Running> {
    if (this.#running?.file === file && this.#running.desktop.isRunning()) {
      await this.#running.desktop.forget();
      this.#running.log.length = 0;
      return this.#running;
    }
    await this.end();
    const home = await mkdtemp(join(tmpdir(), 'pixdock-desktop-'));
    const log: string[] = [];
    const desktop = await launchDesktop(this.#platform, { userData: join(home, 'config/Pixdock'), log });
    this.#running = { file, desktop, home, log };
    return this.#running;
  }

  /** The home folder of the running app: its data is in config/Pixdock. */
  get home(): string {
    if (!this.#running) throw new Error('no app is running');
    return this.#running.home;
  }

  async end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.desktop.end();
    if (running) await rm(running.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

interface Fixtures {
  /** A new folder, removed after the test. */
  folder: string;
  /** Starts the app; every started app is ended after the test. */
  launch(options?: Partial<LaunchOptions>): Promise<Desktop>;
  /** Starts the app where the start must fail; returns the exit code and output. */
  start(env: Record<string, string>): Promise<{ code: number | null; output: string }>;
  /** The app as a new user finds it. */
  desktop: Desktop;
  /** The app with the pictures and settings that the file's earlier tests left behind; clipboard and notifications are empty. */
  used: Desktop;
  /** The home folder of {@link Fixtures.used}: its data is in config/Pixdock. */
  usedHome: string;
  /** Writes a PNG of one colour into the folder and returns its path. */
  image(name: string, colour: string): Promise<string>;
}

/** Starting the app takes a while on a busy machine. */
export const expect = baseExpect.configure({ timeout: 30_000 });

export const test = base.extend<Fixtures, { shared: SharedApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'pixdock-desktop-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  },
  launch: async ({ folder }, use, testInfo) => {
    const platform = platformOf(testInfo);
    const running: Desktop[] = [];
    const log: string[] = [];
    await use(async (options) => {
      const desktop = await launchDesktop(platform, { userData: join(folder, 'user'), log, ...options });
      running.push(desktop);
      return desktop;
    });
    if (testInfo.status !== testInfo.expectedStatus) console.log(log.join(''));
    for (const desktop of running) {
      await checkWindow(desktop, testInfo);
      await desktop.end();
    }
  },
  start: async ({ folder }, use, testInfo) => {
    await use(async (env) => {
      const { command, args, env: all } = launchProgram(platformOf(testInfo), join(folder, 'user'), env);
      const child = spawn(command, args, { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      const [code] = await once(child, 'close');
      return { code, output };
    });
  },
  desktop: async ({ launch }, use) => {
    await use(await launch());
  },
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
    async ({}, use, workerInfo) => {
      const shared = new SharedApp(platformOf(workerInfo));
      await use(shared);
      await shared.end();
    },
    { scope: 'worker' },
  ],
  used: async ({ shared }, use, testInfo) => {
    const { desktop, log } = await shared.for(testInfo.file);
    await use(desktop);
    await checkWindow(desktop, testInfo);
    if (testInfo.status !== testInfo.expectedStatus) console.log(log.join(''));
  },
  usedHome: async ({ shared, used }, use) => {
    void used;
    await use(shared.home);
  },
  image: async ({ folder }, use) => {
    await use(async (name, colour) => {
      const path = join(folder, name);
      await writeFile(path, await png(colour));
      return path;
    });
  },
});

/** Fails on visual faults of the window that a passing scenario leaves behind. */
async function checkWindow(desktop: Desktop, { status, expectedStatus }: TestInfo) {
  if (status !== expectedStatus || !desktop.isRunning() || desktop.page.isClosed()) return;
  await expectNoFaults(desktop.page, 'at the end');
}

/** What the project runs the scenarios on. */
function platformOf({ project }: TestInfo | WorkerInfo): Platform {
  const { electron: kind, program, hostile } = project.metadata as Omit<Platform, 'kind'> & { electron: Platform['kind'] };
  return { kind, program, hostile };
}

/** A PNG of one colour, to be compared after an upload. */
export function png(colour: string): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: colour } })
    .png()
    .toBuffer();
}

/** An image's colour values, for comparison. */
export function pixels(image: Buffer | ArrayBuffer): Promise<Buffer> {
  return sharp(image).removeAlpha().raw().toBuffer();
}
