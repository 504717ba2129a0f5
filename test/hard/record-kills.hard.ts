import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import { afterAll, expect, it } from 'vitest';
import type { Desktop } from '#test/desktop/driver.ts';
import { launchDesktop } from '#test/desktop/launch.ts';
import { describeFilm, itemsIn, recordScreen } from '#test/desktop/recordings.ts';
import { Random, setting } from './random.ts';

const execute = promisify(execFile);

/** A recording takes long: 20 of the usual 100. */
const KILLS = Math.ceil(setting('KILLS') / 5);
/** For one kill on a busy computer. */
const LIMIT_MS = 120_000;
const MAX_LIFE_MS = 20_000;
/** The promise, in seconds. */
const MAX_LOST = 1.5;

const root = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const random = new Random('record-kills');
let running: Desktop | undefined;
afterAll(async () => {
  if (running?.isRunning()) await running.crash(); // of a test that has failed
  rmSync(root, { recursive: true, maxRetries: 5 });
});

/** Returns what finds out how long a recording is by now, in seconds: the bar says it four times a second. */
async function follow(bar: Page): Promise<() => Promise<number>> {
  await bar.evaluate(() => {
    const time = document.getElementById('time') as HTMLTimeElement;
    const note = () => Object.assign(window, { said: { seconds: Number(time.dateTime.slice(2, -1)), at: performance.now() } });
    note();
    new MutationObserver(note).observe(time, { attributes: true });
  });
  return () =>
    bar.evaluate(() => {
      const { seconds, at } = (window as unknown as { said: { seconds: number; at: number } }).said;
      return seconds + (performance.now() - at) / 1000;
    });
}

it(`loses at most ${MAX_LOST} s of a recording when the app is killed ${KILLS} times, and all of them play`, {
  timeout: (KILLS + 1) * LIMIT_MS,
}, async () => {
  const userData = join(root, 'user');
  const lost: number[] = [];
  const faults: string[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    running = await launchDesktop({ kind: 'double' }, { userData });
    const bar = await recordScreen(running, 0);
    const secondsOf = await follow(bar);
    await wait(random.below(MAX_LIFE_MS));
    const filmed = await secondsOf();
    await running.crash();
    running = await launchDesktop({ kind: 'double' }, { userData });
    await expect.poll(() => itemsIn(userData).map(({ state }) => state), { timeout: 30_000 }).toEqual(Array(kill).fill('draft'));
    await running.end();
    const path = itemsIn(userData).at(-1)?.path ?? '';
    const { seconds } = await describeFilm(path);
    lost.push(filmed - seconds);
    // Frames are as far apart as they were filmed.
    const { stderr } = await execute('ffmpeg', ['-v', 'error', '-i', path, '-fps_mode', 'vfr', '-f', 'null', '-']);
    if (stderr) faults.push(`after kill ${kill}: ${stderr}`);
    const figures = { kill, filmed: filmed.toFixed(2), kept: seconds.toFixed(2), lost: (filmed - seconds).toFixed(2) };
    console.log(JSON.stringify({ ...figures, load: loadavg()[0]?.toFixed(1) }));
  }
  expect(faults, 'what a player says').toEqual([]);
  expect(Math.max(...lost)).toBeLessThanOrEqual(MAX_LOST);
});
