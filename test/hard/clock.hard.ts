import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createClient } from '#api/client.ts';
import { listImages } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';
import { Random } from './random.ts';
import { expectSound, filesIn } from './subject.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Where the clock jumps to, relative to the right time. */
const JUMPS = [HOUR, -HOUR, DAY, -DAY, 400 * DAY, -400 * DAY, 0];
const ROUNDS = 3;

const folder = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const dataDir = join(folder, 'data');
const clock = join(folder, 'clock');
afterAll(() => rmSync(folder, { recursive: true }));

const preload = new URL('./shifted-clock.ts', import.meta.url).href;
const start = () => startChildService(dataDir, { NODE_OPTIONS: `--import=${preload}`, PIXDOCK_HARD_CLOCK: clock });

it('keeps uploading and showing every picture while the clock jumps, also across restarts', { timeout: 300_000 }, async () => {
  const random = new Random('clock');
  writeFileSync(clock, '0');
  let service = await start();
  const token = await (await setUp(service)).token('full');
  const stored: Uploaded[] = [];
  for (let jump = 0; jump < ROUNDS * JUMPS.length; jump++) {
    const shift = random.pick(JUMPS);
    writeFileSync(clock, String(shift));
    if (random.chance(0.3)) {
      expect(await service.stop()).toBe(0);
      service = await start();
    }
    for (let left = 3; left > 0; left--) stored.push(await uploadImage(service, token, tinyPng(stored.length)));
    const { headers } = await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } });
    expect(headers.get('date')).not.toBeNull();
    for (const { key, size } of stored) {
      const response = await fetch(`${service.url}/i/${key}.png`, { headers: { connection: 'close' } });
      expect([response.status, (await response.arrayBuffer()).byteLength], `${key} after a jump to ${shift} ms`).toEqual([200, size]);
    }
    const { items } = await createClient({ baseUrl: service.url, token }).call(listImages, { query: { limit: 200 } });
    expect(items.map(({ key }) => key).sort()).toEqual(stored.map(({ key }) => key).sort());
  }
  expect(filesIn(dataDir, 'tmp')).toEqual([]);
  expect(service.printed()).not.toMatch(/"level":[56]0/);
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the jumps');
});
