import { statSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Death, decoders } from '#server/platform/imaging/decoders.ts';
import { gifBomb } from '#test/helpers/pictures/bombs.ts';
import { webp } from '#test/helpers/pictures/images.ts';
import { childrenOf, openFilesOf } from '#test/helpers/programs/process-tree.ts';
import { setUp, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  token = await (await setUp(service)).token('upload');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (bytes: Buffer) =>
  uploadImage(service, token, bytes).then(
    (image) => image.key.length,
    (error: unknown) => error,
  );

/** The decoder that reads a file of this length; undefined while there is none. */
function decoderOf(length: number): number | undefined {
  const reads = (pid: number) => openFilesOf(pid).some((path) => path.startsWith(`${service.dataDir}/tmp/`) && lengthOf(path) === length);
  return childrenOf(process.pid).find(reads);
}

const lengthOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;

it.runIf(process.platform === 'linux')('loses one of ten uploads when a decoder crashes, and stays up', async () => {
  const deaths: Death[] = [];
  const unwatch = decoders.watch((death) => deaths.push(death));
  // It takes seconds to decode: there is time to find its decoder.
  const slow = gifBomb(700, 700, 1_900);
  const others = await Promise.all(Array.from({ length: 9 }, (_, seed) => webp({ seed })));
  const [lost, ...stored] = [slow, ...others].map(send);
  // Killed where it is found: a moment later it may have read the file and closed it.
  const crash = () => {
    const decoder = decoderOf(slow.length);
    return decoder !== undefined && process.kill(decoder, 'SIGSEGV');
  };
  await expect.poll(crash, { interval: 1, timeout: 30_000 }).toBe(true);
  expect(await lost).toMatchObject({ status: 400, code: 'damaged_image', message: expect.stringMatching(/can’t be decoded.*upload that/) });
  expect(await Promise.all(stored)).toEqual(others.map(() => 12));
  expect(deaths).toMatchObject([{ signal: 'SIGSEGV', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect(await send(await webp({ seed: 10 }))).toBe(12);
  unwatch();
});
