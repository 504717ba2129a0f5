import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Desktop, Platform } from './driver.ts';
import { launchDesktop } from './launch.ts';

interface Running {
  file: string;
  desktop: Desktop;
  home: string;
  log: string[];
}

/** One running app at a time, which the tests of a file use one after the other: starting it costs more than most of them. */
export class SharedApp {
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
