import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ServiceContext } from '#server/boot/compose.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { image } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const MIB = 1024 * 1024;

/** A disk that can be filled up and freed again. */
interface Disk {
  folder: string;
  change(context: ServiceContext): ServiceContext;
  fill(): void;
  free(): void;
}

/** A small separate disk, where the system lets tests mount one. */
function smallDisk(): Disk | undefined {
  const folder = temporaryFolder();
  if (process.platform !== 'linux' || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'none', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', [folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    change: (context) => context,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - MIB));
    },
    free: () => rmSync(filler),
  };
}

/** The usual disk, whose writers fail as if it were full. */
function pretendedDisk(): Disk {
  const folder = temporaryFolder();
  let full = false;
  const change = (context: ServiceContext): ServiceContext => ({
    ...context,
    staging: {
      ...context.staging,
      async create(expected) {
        const writer = await context.staging.create(expected);
        let left = MIB;
        const write = async (bytes: Uint8Array) => {
          left -= bytes.length;
          if (full && left < 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
          await writer.write(bytes);
        };
        return { ...writer, write };
      },
    },
  });
  const set = (value: boolean) => () => {
    full = value;
  };
  return { folder, change, fill: set(true), free: set(false) };
}

const large = (seed: number) => image({ width: 1600, height: 1200, seed }).png({ compressionLevel: 0 }).toBuffer();

/** Uploads without a Content-Length, so that the service can't refuse it in advance. */
function uploadOfUnknownLength(url: string, token: string, bytes: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'large.png');
  const { body, headers } = new Response(form);
  const contentType = headers.get('content-type') as string;
  const init = { method: 'POST', body, duplex: 'half', headers: { authorization: `Bearer ${token}`, 'content-type': contentType } };
  return fetch(`${url}/api/v1/upload`, init as RequestInit);
}

it.each([
  ['pretended', pretendedDisk],
  ['real, where tests may have one', () => smallDisk() ?? pretendedDisk()],
])('responds with 507 in the middle of an upload when the disk is full, and works again afterwards (%s)', async (_kind, open) => {
  const disk = open();
  const { context, url, close } = await openTestContext(disk.folder, disk.change);
  onTestFinished(close);
  await context.settings.change('note', { disk_reserve_bytes: 0 });
  const owner = await createOwner(context.db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await createToken(context.db.as('job'), owner.id, { name: 'test', scope: 'upload', expiresIn: 0 });
  const upload = async (seed: number) => uploadImage({ url }, secret, await large(seed), {}, 'large.png');
  const status = async ({ key }: { key: string }) => {
    const response = await fetch(`${url}/i/${key}.png`);
    return [response.status, (await response.arrayBuffer()).byteLength];
  };

  const early = await upload(1);
  disk.fill();
  await expect(upload(2)).rejects.toMatchObject({ status: 507, code: 'storage_full' });
  for (let round = 0; round < 3; round++) {
    const response = await uploadOfUnknownLength(url, secret, await large(2));
    expect([response.status, (await response.json()).data]).toEqual([507, { code: 'storage_full', retry: 'later' }]);
  }
  expect(readdirSync(join(disk.folder, 'tmp'))).toEqual([]);
  expect(await status(early)).toEqual([200, early.size]);
  const rows = await context.db.read.selectFrom('images').select('key').execute();
  expect(rows.map(({ key }) => key)).toEqual([early.key]);
  const files = readdirSync(join(disk.folder, 'blobs'), { recursive: true }).filter((path) => String(path).split('/').length === 3);
  expect(files).toHaveLength(1);

  disk.free();
  const late = await upload(2);
  expect(await status(late)).toEqual([200, late.size]);
});
