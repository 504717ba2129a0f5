import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAlbums } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { newImage } from '#test/cli/homes.ts';
import { madeUpLibrary, PRODUCTS, type Product, startFakeSource } from '#test/helpers/network/fake-sources.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { setUp, startTestService } from '#test/helpers/service/service.ts';
import { pictureJson, writeFiles } from './takeout/made-up-export.ts';
import { expectedOf, told } from './told.ts';

/** The requirement is 5,000 files (PIXDOCK_TEST_FILES=5000); fewer show the same in every run. */
const FILES = Number(process.env.PIXDOCK_TEST_FILES ?? 600);
const MEMORY_LIMIT_KB = 150 * 1024;

const { service, owner } = await startFileService();

/** A folder of different pictures, thirty to a folder, whose numbers begin with `first`. */
async function imagesFolder(count: number, first: number) {
  const home = temporaryFolder();
  for (let i = 0; i < count; i++) {
    const folder = join(home, 'pictures', `day ${Math.floor(i / 30)}`);
    if (i % 30 === 0) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `shot ${i}.png`), tinyPng(first + i));
  }
  return home;
}

/** Every stored picture's name, in no order. */
async function storedNames() {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await owner.client.call(listImages, { query: { limit: 200, ...(cursor && { cursor }) } });
    names.push(...page.items.map(({ name }) => name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return names;
}

/** A process's peak memory, in KB. */
async function peakMemory(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
}

describe('pixdock import-dir', () => {
  it('resumes after kill -9: every file stored once, none changed, in little memory', {
    timeout: FILES * 300,
  }, async () => {
    const home = await imagesFolder(FILES, 1_000_000);
    const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full') };
    const before = await fingerprint(join(home, 'pictures'));
    let printed = 0;
    const killed = await runBuiltCli(home, ['import-dir', 'pictures'], {
      env,
      onStart: (child) =>
        child.stdout.on('data', (chunk: Buffer) => {
          printed += chunk.toString().split('\n').length - 1;
          if (printed > FILES / 2) child.kill('SIGKILL');
        }),
    });
    expect(killed.code).toBeNull();
    const afterKill = killed.stdout.split('\n').filter(Boolean).length;

    let peak = 0;
    const second = await runBuiltCli(home, ['import-dir', 'pictures', '--report', 'report.json'], {
      env,
      onStart: (child) =>
        child.stdout.on('data', async () => {
          peak = Math.max(peak, await peakMemory(child.pid));
        }),
    });
    expect(second.code, second.stderr).toBe(0);
    const { summary } = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    // Every printed link was in the journal; up to sixteen uploads were running, and the server recognises those.
    expect(summary.imported_before).toBeGreaterThanOrEqual(afterKill);
    expect(summary.uploaded).toBe(FILES - summary.imported_before);
    expect(summary.reused).toBeLessThanOrEqual(16);
    const names = await storedNames();
    expect(names).toHaveLength(FILES);
    expect(new Set(names).size).toBe(FILES);
    expect(await fingerprint(join(home, 'pictures'))).toEqual(before);
    if (process.platform === 'linux') {
      expect(peak).toBeGreaterThan(10_000);
      expect(peak).toBeLessThan(MEMORY_LIMIT_KB);
    }
    const third = await runBuiltCli(home, ['import-dir', 'pictures'], { env });
    expect(third).toEqual({ stdout: '', stderr: expect.stringContaining(`Uploaded 0 pictures`), code: 0 });
  });

  it('adds nothing of a Google Takeout twice after kill -9', { timeout: 60_000 }, async () => {
    await using service = await startTestService();
    const owner = await setUp(service);
    const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full') };
    const home = temporaryFolder();
    const files: Record<string, string | Buffer> = { 'Takeout/Trip/metadata.json': '{"title": "Trip"}' };
    for (let index = 0; index < 120; index++) {
      const content = newImage();
      files[`Takeout/Photos from 2019/${index}.png`] = content;
      files[`Takeout/Photos from 2019/${index}.png.json`] = pictureJson(`${index}.png`, { description: `No. ${index}`, favorited: true });
      if (index % 2 === 0) files[`Takeout/Trip/${index}.png`] = content;
    }
    await writeFiles(home, files);
    for (const after of [10, 40]) {
      let printed = 0;
      const killed = await runBuiltCli(home, ['import-dir', 'Takeout', '--takeout', '--expires-in', '30d'], {
        env,
        onStart: (child) =>
          child.stdout.on('data', (chunk: Buffer) => {
            printed += chunk.toString().split('\n').length - 1;
            if (printed >= after) child.kill('SIGKILL');
          }),
      });
      expect(killed.code).toBeNull();
    }
    const last = await runBuiltCli(home, ['import-dir', 'Takeout', '--takeout', '--expires-in', '30d'], { env });
    expect(last.code, last.stderr).toBe(0);
    const { items: images } = await owner.client.call(listImages, { query: { limit: 200 } });
    const { items: albums } = await owner.client.call(listAlbums, { query: {} });
    expect(albums).toMatchObject([{ name: 'Trip', image_count: 60 }]);
    expect(images).toHaveLength(120);
    expect(images.filter(({ favourite, caption, name }) => favourite && caption === `No. ${name.replace('.png', '')}`)).toHaveLength(120);
  });
});

/** The requirement is 3,000 pictures; fewer show the same in every run. */
const PICTURES = Number(process.env.PIXDOCK_TEST_PICTURES ?? 100);

describe('pixdock import', () => {
  it.each(Object.keys(PRODUCTS))(
    'brings every picture of %s along once, with its date and albums, after five times kill -9',
    {
      timeout: 120_000 + PICTURES * 200,
    },
    async (name) => {
      const user = await addUser(service, `of-${name.replace('+', '-plus')}`);
      const product = PRODUCTS[name] as Product;
      const library = madeUpLibrary(PICTURES, 30_000_000);
      await using source = await startFakeSource(product, library, { token: 'user:secret', faults: 0.05 });
      const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await user.token('full'), PIXDOCK_SOURCE_TOKEN: 'user:secret' };
      const home = temporaryFolder();
      const command = ['import', name.replace('+', ''), source.url];
      for (let kill = 0; kill < 5; kill++) {
        let printed = 0;
        const killed = await runBuiltCli(home, command, {
          env,
          onStart: (child) =>
            child.stdout.on('data', (chunk: Buffer) => {
              printed += chunk.toString().split('\n').length - 1;
              if (printed > PICTURES / 8) child.kill('SIGKILL');
            }),
        });
        expect(killed.code).toBeNull();
      }
      const last = await runBuiltCli(home, [...command, '--verify', '--map', 'map.csv'], { env });
      expect(last.code, last.stderr).toBe(0);
      expect(last.stderr).toContain(`Compared ${PICTURES.toLocaleString('en')} pictures`);
      expect(await told(user.client)).toEqual(expectedOf(library, product));
      const links = (await readFile(join(home, 'map.csv'), 'utf8')).trimEnd().split('\n').slice(1);
      expect(new Set(links.map((line) => line.split(',').at(-1))).size).toBe(PICTURES);
    },
  );
});

/** Names, sizes and modification times below a folder. */
async function fingerprint(folder: string) {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, mode } = await stat(join(folder, name));
      return `${name} ${size} ${mtimeMs} ${mode}`;
    }),
  );
}
