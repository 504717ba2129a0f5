import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { captureTools, choose, DRAWN_ON, editPage, keptIn, openDraft, stroke } from '#test/desktop/drafts.ts';
import type { Desktop } from '#test/desktop/driver.ts';
import { launchDesktop } from '#test/desktop/launch.ts';
import { Random, setting } from './random.ts';

/** A start of the app and its editor takes long: 20 of the usual 100. */
const KILLS = Math.ceil(setting('KILLS') / 5);
/** For one kill on a busy computer. */
const LIMIT_MS = 90_000;
const MAX_LIFE_MS = 5_000;
/** The promise: marks older than that are kept. */
const KEPT_MS = 1_000;

const root = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const random = new Random('draft-kills');
let running: Desktop | undefined;
afterAll(async () => {
  if (running?.isRunning()) await running.crash(); // of a test that has failed
  rmSync(root, { recursive: true, maxRetries: 5 });
});

/** Draws until the app is killed at a random moment; returns how many of the marks were old enough by then. `from`: marks that were there. */
async function drawUntilKilled(desktop: Desktop, page: Page, from: number): Promise<number> {
  const drawn: number[] = [];
  let killedAt = Number.POSITIVE_INFINITY;
  const death = wait(random.below(MAX_LIFE_MS)).then(() => {
    killedAt = Date.now();
    return desktop.crash();
  });
  while (killedAt === Number.POSITIVE_INFINITY) {
    try {
      await stroke(page, from + drawn.length);
      drawn.push(Date.now());
    } catch (error) {
      if (killedAt === Number.POSITIVE_INFINITY) throw error;
    }
  }
  await death;
  return from + drawn.filter((at) => at <= killedAt - KEPT_MS).length;
}

it(`keeps a draft and its marks, and uploads nothing, when the app is killed ${KILLS} times while it is edited`, {
  timeout: (KILLS + 1) * LIMIT_MS,
}, async () => {
  const [shot, userData] = [join(root, 'shot.png'), join(root, 'user')];
  writeFileSync(
    shot,
    await sharp({ create: { ...DRAWN_ON, channels: 3, background: '#963' } })
      .png()
      .toBuffer(),
  );
  const options = { userData, ...(await captureTools(root, shot)) };
  let marks = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    running = await launchDesktop({ kind: 'double' }, options);
    await choose(running, { afterCapture: 'edit' });
    if (kill === 1) await running.press('Capture…');
    const old = await drawUntilKilled(running, await (kill === 1 ? editPage(running) : openDraft(running)), marks);
    const { drafts, uploaded } = keptIn(userData);
    expect({ drafts: drafts.length, uploaded }, `after kill ${kill}`).toEqual({ drafts: 1, uploaded: 0 });
    expect(drafts[0]?.marks, `after kill ${kill}`).toBeGreaterThanOrEqual(old);
    marks = drafts[0]?.marks ?? 0;
  }
  console.log(`${KILLS} kills, ${marks} marks`);
});
