import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import { expect, type Page } from 'playwright/test';
import { choose } from './drafts.ts';
import type { Desktop } from './driver.ts';

export const RECORD_KEYS = 'Control+Alt+R';

/** The page of the bar or of a choice, by the name in its address. */
export async function recordPage({ app }: Desktop, name: string): Promise<Page> {
  const find = () => app.windows().find((page) => page.url().endsWith(`/record.html#${name}`));
  await expect.poll(() => find() !== undefined, { timeout: 30_000 }).toBe(true);
  return find() as Page;
}

/** Records the whole screen from its key on, until the bar shows a time. Returns the bar. */
export async function recordScreen(desktop: Desktop, seconds: number, change: Parameters<typeof choose>[1] = {}): Promise<Page> {
  await choose(desktop, { recordCountdown: 0, ...change });
  await desktop.press('Record', 'Whole screen');
  const bar = await recordPage(desktop, 'bar');
  await expect.poll(() => shownSeconds(bar), { timeout: 60_000 }).toBeGreaterThanOrEqual(seconds);
  return bar;
}

/** What the bar shows, in seconds. */
export async function shownSeconds(bar: Page): Promise<number> {
  const [minutes, seconds] = (await bar.locator('#time').innerText()).split(':').map(Number);
  return 60 * (minutes || 0) + (seconds || 0);
}

/** The uploads and drafts in an app's journal. The app may be running. */
export function itemsIn(userData: string): { path: string; state: string; size: number | null }[] {
  const db = new DatabaseSync(join(userData, 'uploads.db'), { readOnly: true, timeout: 10_000 });
  const rows = db.prepare('SELECT path, state, size FROM items ORDER BY seq').all();
  db.close();
  return rows as ReturnType<typeof itemsIn>;
}

/** What a player finds in a recording; seconds are of the picture. */
export async function describeFilm(path: string) {
  const input = new Input({ source: new BufferSource(new Uint8Array(await readFile(path))), formats: [MP4] });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (!video) throw new Error('The recording has no picture.');
  const times: number[] = [];
  const keys: number[] = [];
  for await (const { timestamp, type } of new EncodedPacketSink(video).packets()) {
    times.push(timestamp);
    if (type === 'key') keys.push(timestamp);
  }
  return {
    size: `${video.displayWidth}×${video.displayHeight}`,
    codecs: [video.codec, audio?.codec],
    seconds: await video.computeDuration(),
    sound: await audio?.computeDuration(),
    times,
    keys,
  };
}
