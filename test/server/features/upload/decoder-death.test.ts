import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { type Death, decoders, launchDecodersBy } from '#server/platform/imaging/decoders.ts';
import { gifBomb } from '#test/helpers/pictures/bombs.ts';
import { webp } from '#test/helpers/pictures/images.ts';
import { doomed } from '#test/helpers/programs/doomed.ts';
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

let crash = { length: 0, times: 0 };
launchDecodersBy(() => {
  const decoder = launchDecoder();
  const kill = (signal: NodeJS.Signals) => process.kill(decoder.pid as number, signal);
  return doomed(decoder, kill, ({ size }) =>
    size === crash.length && crash.times-- > 0 ? { phase: 'starting', fate: 'SIGSEGV' } : undefined,
  );
});

/** Crashes the next decoders that get a picture of this length, and returns what becomes of their jobs. */
function crashWith(length: number, times: number) {
  crash = { length, times };
  const deaths: Death[] = [];
  onTestFinished(decoders.watch((death) => deaths.push(death)));
  return deaths;
}

describe.runIf(process.platform === 'linux')('when a decoder crashes', () => {
  it('once, ten uploads at the same time are stored', async () => {
    // It takes seconds to decode.
    const slow = gifBomb(700, 700, 1_900);
    const others = await Promise.all(Array.from({ length: 9 }, (_, seed) => webp({ seed })));
    const deaths = crashWith(slow.length, 1);
    expect(await Promise.all([slow, ...others].map(send))).toEqual(new Array(10).fill(12));
    expect(deaths).toMatchObject([{ signal: 'SIGSEGV', verdict: 'again', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  it('twice with a picture, it is refused for now, and stored when it is sent again', async () => {
    const picture = await webp({ seed: 20, width: 400 });
    const deaths = crashWith(picture.length, 2);
    expect(await send(picture)).toMatchObject({ status: 503, code: 'unavailable', details: { retry: 'later', retry_after: 60 } });
    expect(await send(await webp({ seed: 21 }))).toBe(12);
    expect(await send(picture)).toBe(12);
    expect(deaths).toMatchObject([{ verdict: 'again' }, { verdict: 'later' }]);
  });

  it('three times with a picture, it is rejected permanently', async () => {
    const picture = await webp({ seed: 30, width: 410 });
    const deaths = crashWith(picture.length, 3);
    expect(await send(picture)).toMatchObject({ status: 503 });
    expect(await send(picture)).toMatchObject({
      ...{ status: 400, code: 'damaged_image', details: { retry: 'never' } },
      message: expect.stringMatching(/can’t be decoded.*upload that/),
    });
    expect(deaths).toMatchObject([{ verdict: 'again' }, { verdict: 'later' }, { verdict: 'never' }]);
    expect(await send(await webp({ seed: 31 }))).toBe(12);
  });
});
