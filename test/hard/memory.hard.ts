import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { avif, photoJpeg } from '#test/helpers/pictures/images.ts';
import { watchMemory } from '#test/helpers/programs/process-tree.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

/** A camera's 20 megapixels. */
const SIZE = { width: 5_472, height: 3_648 };
/** What the limiter promises, in MB (10⁶ bytes): a gibibyte for one HEIC or AVIF, decoders included. */
const LIMIT = 1_074;

const folder = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Encoded with HEVC by libheif's own program, since no library of ours can. */
async function heic(seed: number): Promise<Buffer> {
  const [jpeg, target] = [join(folder, `${seed}.jpg`), join(folder, `${seed}.heic`)];
  writeFileSync(jpeg, await photoJpeg({ ...SIZE, seed }));
  const { status, stderr } = spawnSync('heif-enc', ['-q', '60', '-p', 'preset=ultrafast', '-o', target, jpeg], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return readFileSync(target);
}

const hasEncoder = spawnSync('heif-enc', ['--version'], { stdio: 'ignore' }).error === undefined;

describe.runIf(process.platform === 'linux').each([
  { name: 'AVIF', make: (seed: number) => avif({ ...SIZE, seed }), possible: true },
  { name: 'HEIC (needs heif-enc of libheif-examples)', make: heic, possible: hasEncoder },
])('four pictures of 20 megapixels at once: $name', ({ make, possible }) => {
  it.runIf(possible)('are stored with their thumbnails within the promised memory', { timeout: 900_000 }, async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const pictures: Buffer[] = [];
    for (let seed = 1; seed <= 4; seed++) pictures.push(await make(seed));
    const service = await startChildService(dataDir);
    const owner = await setUp(service);
    const token = await owner.token('upload');
    using memory = watchMemory(service.pid);
    const stored = await Promise.all(pictures.map((bytes) => uploadImage(service, token, bytes)));
    const statuses = await Promise.all(
      stored.map(async ({ links }) => {
        const response = await fetch(`${links.thumbnail_url}?w=400`, { headers: { connection: 'close' } });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    console.log(
      `${pictures.map(({ length }) => `${(length / 1e6).toFixed(1)} MB`).join(', ')}: at most ${Math.round(memory.peak())} MB of memory`,
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(memory.peak()).toBeLessThan(LIMIT);
    expect(await service.stop()).toBe(0);
  });
});
