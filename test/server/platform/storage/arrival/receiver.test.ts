import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeptRights } from '#server/platform/imaging/metadata/plan.ts';
import { openReceiver, type Received } from '#server/platform/storage/arrival/receiver.ts';
import { photoJpeg, withSwappedComponents } from '#test/helpers/pictures/images.ts';
import { mutate } from '#test/helpers/pictures/mutate.ts';
import { jpegSegment, privateJpeg, privatePng, SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { strippedJpeg } from '#test/helpers/pictures/stripped.ts';
import { ultraHdr } from '#test/helpers/pictures/ultra-hdr.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { pick, type Random, random } from '#test/helpers/random.ts';

let folder = '';
let files = 0;

beforeEach(() => {
  folder = temporaryFolder();
});

/** Receives a file in pieces whose memory is overwritten afterwards, as the memory of the thread's buffers is. */
async function receive(file: Buffer, rights: KeptRights | undefined, nextLength: () => number) {
  const path = join(folder, String(files++));
  const receiver = openReceiver(path, rights);
  for (let at = 0; at < file.length; ) {
    const piece = Buffer.from(file.subarray(at, at + nextLength()));
    await receiver.write(piece);
    piece.fill(0xff);
    at += piece.length;
  }
  const received = await receiver.finish();
  const written = readFileSync(path);
  rmSync(path);
  return { received, written };
}

/** What is stored of a file, according to a walk through all of it; undefined if only a decoder can tell whether it can be shown. */
async function stripWhole(file: Buffer, rights: KeptRights) {
  const whole = await strippedJpeg(file, rights).catch(() => undefined);
  return whole?.plan.jpeg && whole;
}

function restore({ head }: Received, written: Buffer): Buffer {
  return head ? Buffer.concat([head.original, written.subarray(head.length)]) : written;
}

/** @returns whether the metadata were removed while the file arrived */
async function compare(file: Buffer, rights: KeptRights, nextLength: () => number): Promise<boolean> {
  const { received, written } = await receive(file, rights, nextLength);
  expect(received).toMatchObject({ size: file.length, sha256: hash('sha256', file) });
  expect(restore(received, written).equals(file)).toBe(true);
  const { stripped } = received;
  if (!stripped) return false;
  const expected = await stripWhole(file, rights);
  expect(written.subarray(0, stripped.size).equals(expected?.stored as Buffer)).toBe(true);
  expect(stripped.sha256).toBe(hash('sha256', expected?.stored as Buffer));
  expect(stripped.plan).toEqual(expected?.plan);
  return true;
}

const anyLength = (next: Random) => () => pick(next, [3, 100, 4_000, 20_000]) + next(500);

const insertedAt = (file: Buffer, at: number, ...parts: Buffer[]) => Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)]);
/** Where the data of the last scan begin. */
const lastScan = (file: Buffer) => file.lastIndexOf(Buffer.of(0xff, 0xda));
const many = (count: number, make: () => Buffer) => Array.from({ length: count }, make);

const corpus: Record<string, Buffer> = {};

beforeAll(async () => {
  const plain = await photoJpeg();
  const photo = await privateJpeg({ orientation: 6, takenAt: '2024:05:06 07:08:09' });
  const progressive = await privateJpeg({ progressive: true });
  Object.assign(corpus, {
    plain,
    photo,
    progressive,
    'photo without end': photo.subarray(0, photo.lastIndexOf(Buffer.of(0xff, 0xd9))),
    'photo of CMYK': await privateJpeg({ icc: 'cmyk' }),
    'many metadata segments': insertedAt(photo, 2, ...many(300, () => jpegSegment(0xe1, Buffer.from(`Unknown ${SECRET}`)))),
    'two secondary pictures': Buffer.concat([photo, plain, photo]),
    'a gain map': await ultraHdr(),
    'a gain map behind a long picture': await ultraHdr({ picture: await photoJpeg({ width: 1600, height: 1200, quality: 95 }) }),
    'fill bytes': insertedAt(photo, 2, Buffer.alloc(40, 0xff)),
    'metadata after the first scan': insertedAt(progressive, lastScan(progressive), jpegSegment(0xfe, Buffer.from(SECRET))),
    'EXIF after the first scan': insertedAt(
      await photoJpeg({ progressive: true }),
      lastScan(await photoJpeg({ progressive: true })),
      jpegSegment(0xe1, Buffer.from(`Exif\0\0MM\0*\0\0\0\x08\0\0`, 'latin1')),
    ),
    'profile after the first scan': insertedAt(
      await photoJpeg({ progressive: true }),
      lastScan(await photoJpeg({ progressive: true })),
      jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01no profile')),
    ),
    'a long head': insertedAt(photo, 2, ...many(6, () => jpegSegment(0xe1, Buffer.alloc(60_000, SECRET)))),
    'an unusual scan': withSwappedComponents(await photoJpeg()),
    'a PNG': await privatePng(),
    empty: Buffer.alloc(0),
  });
}, 60_000);

describe.each([{}, 'own', { artist: 'Ann', copyright: '© Ann' }] as const)('while it arrives, with the rights %j', (rights) => {
  it.each([
    ['plain', true],
    ['photo', true],
    ['progressive', true],
    ['many metadata segments', true],
    ['two secondary pictures', true],
    ['a gain map', false],
    ['a gain map behind a long picture', false],
    ['fill bytes', true],
    ['metadata after the first scan', false],
    ['EXIF after the first scan', false],
    ['profile after the first scan', false],
    ['photo without end', false],
    ['photo of CMYK', false],
    ['a long head', false],
    ['an unusual scan', false],
    ['a PNG', false],
    ['empty', false],
  ])('loses the same metadata as in two passes, or can be restored: %s', async (name, isStripped) => {
    const file = corpus[name] as Buffer;
    expect(await compare(file, rights, () => file.length)).toBe(isStripped);
    for (let seed = 1; seed <= 8; seed++) expect(await compare(file, rights, anyLength(random(seed)))).toBe(isStripped);
  });
});

it('takes pieces of any length, down to three bytes at first', async () => {
  const file = corpus.photo as Buffer;
  for (const length of [3, 5, 7]) expect(await compare(file, {}, () => length)).toBe(true);
  expect(await compare(file, {}, () => 1)).toBe(false);
});

it.each(['photo', 'progressive'])('stores the same of a corrupted file as in two passes: %s', async (name) => {
  const next = random(name.length);
  let stripped = 0;
  for (let round = 0; round < 300; round++) {
    const file = mutate(corpus[name] as Buffer, next);
    if (await compare(file, next(2) === 0 ? {} : 'own', anyLength(next))) stripped++;
  }
  expect(stripped).toBeGreaterThan(20);
});

it('cuts a file anywhere, and leaves it as it was sent', async () => {
  const file = await photoJpeg({ width: 40, height: 30, gps: true });
  for (let length = 0; length < file.length; length += 3) expect(await compare(file.subarray(0, length), {}, () => 400)).toBe(false);
});

it('writes a file as it is where metadata may have to stay', async () => {
  const file = corpus.photo as Buffer;
  const { received, written } = await receive(file, undefined, () => 5_000);
  expect(received).toEqual({ size: file.length, sha256: hash('sha256', file) });
  expect(written.equals(file)).toBe(true);
});

it.each(['photo', 'a PNG', 'a long head'])('can be discarded at any moment: %s', async (name) => {
  const file = corpus[name] as Buffer;
  for (const length of [0, 2, 400, file.length]) {
    const receiver = openReceiver(join(folder, String(length)), {});
    await receiver.write(file.subarray(0, length));
    await receiver.discard();
    // Closed.
    await expect(receiver.write(Buffer.alloc(400_000))).rejects.toThrow('EBADF');
  }
});
