import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { type Death, decoders, launchDecodersBy } from '#server/platform/imaging/decoders.ts';
import { gifBomb } from '#test/helpers/pictures/bombs.ts';
import { webp } from '#test/helpers/pictures/images.ts';
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

/** Crashes the decoder that gets a picture of this length. */
function crashWith(length: number) {
  launchDecodersBy(() => {
    const decoder = launchDecoder();
    const send = (...[message]: Parameters<typeof decoder.send>) => {
      decoder.send(message);
      if ('kind' in message && message.size === length) process.kill(decoder.pid as number, 'SIGSEGV');
    };
    return { ...decoder, send };
  });
}

it.runIf(process.platform === 'linux')('loses one of ten uploads when a decoder crashes, and stays up', async () => {
  const deaths: Death[] = [];
  const unwatch = decoders.watch((death) => deaths.push(death));
  // It takes seconds to decode.
  const slow = gifBomb(700, 700, 1_900);
  const others = await Promise.all(Array.from({ length: 9 }, (_, seed) => webp({ seed })));
  crashWith(slow.length);
  const [lost, ...stored] = [slow, ...others].map(send);
  expect(await lost).toMatchObject({ status: 400, code: 'damaged_image', message: expect.stringMatching(/can’t be decoded.*upload that/) });
  expect(await Promise.all(stored)).toEqual(others.map(() => 12));
  expect(deaths).toMatchObject([{ signal: 'SIGSEGV', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect(await send(await webp({ seed: 10 }))).toBe(12);
  unwatch();
});
