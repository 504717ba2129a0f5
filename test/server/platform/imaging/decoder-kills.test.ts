import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import type { Jobs } from '#server/platform/imaging/decoder/jobs.ts';
import { type DecoderProcess, launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { PIECE_BYTES } from '#server/platform/imaging/decoder/messages.ts';
import { createDecoders, type Death, type Decoders } from '#server/platform/imaging/decoders.ts';
import { DamagedImageError } from '#server/platform/imaging/errors.ts';
import { readGrid, type TileGrid } from '#server/platform/imaging/heif/grid.ts';
import { readHeifMeta } from '#server/platform/imaging/heif/meta.ts';
import { DEFAULT_IMAGE_LIMITS as limits } from '#server/platform/imaging/limits.ts';
import { bitmap } from '#test/helpers/pictures/bitmaps.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { isoBox } from '#test/helpers/pictures/private-metadata.ts';
import { videoFixture, videoPath } from '#test/helpers/pictures/videos.ts';
import { type Doom, DYING_DECODER, doomed, PHASES, type Phase } from '#test/helpers/programs/doomed.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** Larger than what is sent with a job, so that the picture is read afterwards. */
const PADDING = Buffer.alloc(3 * PIECE_BYTES, ' ');
const SECONDS = 60;
const JPG = { to: 'jpg', quality: 80 } as const;

const folder = temporaryFolder(afterAll);
const input = (name: string) => join(folder, name);
const output = input('made');

let grid: TileGrid;
beforeAll(async () => {
  const heic = Buffer.concat([await readFile('test/fixtures/heic/grid.heic'), isoBox('free', PADDING)]);
  await using bytes = await ImageBytes.open(heic);
  grid = (await readGrid(bytes, await readHeifMeta(bytes))) as TileGrid;
  await writeFile(input('heic'), heic);
  await writeFile(input('png'), Buffer.concat([await png(), PADDING]));
  await writeFile(input('text'), Buffer.concat([await readFile('test/fixtures/text/english.png'), PADDING]));
  await writeFile(input('svg'), `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><!--${PADDING}--><circle r="50"/></svg>`);
  await writeFile(input('bmp'), Buffer.concat([bitmap({ bits: 24 }), PADDING]));
});

type Run = (decoders: Decoders) => Promise<unknown>;

const header = (decoders: Decoders) => decoders.run('header', { limits }, SECONDS, { input: input('png') });
const thumbnail = (format: 'png' | 'svg') => (decoders: Decoders) =>
  decoders.run('thumbnail', { format, width: 100, type: 'jpeg', limits, withHashes: true }, SECONDS, { input: input(format) });
const emblem = (format: 'png' | 'svg') => (decoders: Decoders) =>
  decoders.run('emblem', { format, side: 64, fit: 'square', versions: [{ side: 64, to: 'webp' }], limits }, SECONDS, {
    input: input(format),
  });

/** Runs a conversion, and returns what it has made, too. */
const withOutput = (run: Run) => async (decoders: Decoders) => [await run(decoders), await readFile(output)];

const convertForeign = (name: string, job: () => Parameters<Jobs['convertForeign']>[0]['job']) =>
  withOutput((decoders) =>
    decoders.run('convertForeign', { job: job(), colours: {}, options: JPG, limits, fast: true }, SECONDS, { input: input(name), output }),
  );

/** Every kind of job, once or more. Those without a picture read none. */
const JOBS: Record<keyof Jobs, Record<string, Run>> = {
  header: { 'a header': header },
  trial: {
    'a trial': (decoders) => decoders.run('trial', { header: PNG_HEADER, limits }, SECONDS, { input: input('png') }),
  },
  pixels: { 'a hash of pixels': (decoders) => decoders.run('pixels', { header: PNG_HEADER, limits }, SECONDS, { input: input('png') }) },
  convert: {
    'a conversion': withOutput((decoders) =>
      decoders.run('convert', { options: JPG, limits, animated: false, fast: false }, SECONDS, { input: input('png'), output }),
    ),
  },
  convertForeign: {
    'a HEIC by tiles': convertForeign('heic', () => ({ grid, threads: 2, pixels: limits.heicPixels })),
    'a HEIC as a whole': convertForeign('heic', () => ({ kind: 'heic', pixels: limits.heicPixels })),
    'a BMP': convertForeign('bmp', () => ({ kind: 'bmp', pixels: limits.heicPixels })),
  },
  thumbnail: { 'a thumbnail': thumbnail('png'), 'a thumbnail of a drawing': thumbnail('svg') },
  hashes: { hashes: (decoders) => decoders.run('hashes', {}, SECONDS, { input: input('png') }) },
  emblem: { 'an emblem': emblem('png'), 'an emblem of a drawing': emblem('svg') },
  prepareForText: {
    'a preparation for text recognition': (decoders) =>
      decoders.run('prepareForText', { format: 'png', limits, pixels: 1_000_000 }, SECONDS, { input: input('png') }),
  },
  recognize: {
    'text recognition': (decoders) =>
      decoders.run('recognize', { languages: ['eng'], limits: { seconds: 40, pixels: 1_000_000 } }, SECONDS, { input: input('text') }),
  },
  remux: {
    'a video': withOutput((decoders) => {
      const { length: size } = videoFixture('h264-aac.mov');
      const path = videoPath('h264-aac.mov');
      return decoders.run('remux', { size, isWebm: false, maxSeconds: 0 }, SECONDS, { input: path, output, inParts: true });
    }),
  },
  svgSize: { 'the size of a drawing': (decoders) => decoders.run('svgSize', {}, SECONDS, { input: input('svg') }) },
  drawing: { 'a trial of a drawing': (decoders) => decoders.run('drawing', { side: 100 }, SECONDS, { input: input('svg') }) },
  decodesHeic: { 'the test for HEIC': (decoders) => decoders.run('decodesHeic', {}, SECONDS) },
  versions: { versions: (decoders) => decoders.run('versions', {}, SECONDS) },
};
const PNG_HEADER = { format: 'png', width: 320, height: 200, channels: 3, depth: 'uchar', isProgressive: false } as const;
const WITHOUT_PICTURE: ReadonlySet<string> = new Set(['the test for HEIC', 'versions']);
const EVERY_JOB = Object.values(JOBS).flatMap((cases) => Object.entries(cases));

const SIGNALS = {
  starting: 'SIGKILL',
  reading: 'SIGSEGV',
  computing: 'SIGABRT',
  writing: 'SIGTRAP',
  later: 'SIGBUS',
} as const satisfies Record<Phase, NodeJS.Signals>;

const launched = new Set<DecoderProcess>();
afterEach(() => {
  for (const decoder of launched) decoder.kill();
  launched.clear();
});

/** Real decoders, the next of which meet their doom; `deaths` says what became of their jobs. */
function mortal(dooms: Doom[], options?: Parameters<typeof createDecoders>[1]) {
  const deaths: Death[] = [];
  const decoders = createDecoders(() => {
    const decoder = launchDecoder({ name: 'permissions' }, DYING_DECODER);
    launched.add(decoder);
    return doomed(
      decoder,
      (signal) => process.kill(decoder.pid as number, signal),
      () => dooms.shift(),
    );
  }, options);
  decoders.watch((death) => deaths.push(death));
  return { decoders, deaths, verdicts: () => deaths.splice(0).map(({ verdict }) => verdict) };
}

describe.skipIf(process.platform === 'win32')('a decoder that is killed', () => {
  it.each(EVERY_JOB)('in any phase of %s has its job done by another', async (name, run) => {
    const dooms: Doom[] = [];
    const { decoders, verdicts } = mortal(dooms);
    const phases = PHASES.filter((phase) => phase !== 'reading' || !WITHOUT_PICTURE.has(name));
    const results: unknown[] = [];
    for (const phase of phases) {
      dooms.push({ phase, fate: SIGNALS[phase] });
      results.push(await run(decoders));
      expect(dooms, phase).toEqual([]);
      expect(verdicts(), phase).toEqual(phase === 'later' ? [] : ['again']);
    }
    // The same as without any deaths.
    const undisturbed = await run(decoders);
    expect(results).toEqual(phases.map(() => undisturbed));
  });

  it.each(PHASES.filter((phase) => phase !== 'later'))(
    'twice while %s has its picture refused for now, and the third time rejected',
    async (phase) => {
      const dooms: Doom[] = [];
      const { decoders, deaths } = mortal(dooms);
      const dying = () => dooms.push(...new Array<Doom>(2).fill({ phase, fate: SIGNALS[phase] }));
      dying();
      await expect(header(decoders)).rejects.toMatchObject({ code: 'unavailable', status: 503, details: { retry_after: 60 } });
      dying();
      await expect(header(decoders)).rejects.toBeInstanceOf(DamagedImageError);
      expect(dooms).toHaveLength(1);
      dooms.splice(0);
      const { signal, kind, sha256 } = { signal: SIGNALS[phase], kind: 'header', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
      expect(deaths).toMatchObject([
        { signal, kind, sha256, verdict: 'again' },
        { signal, kind, sha256, verdict: 'later' },
        { signal, kind, sha256, verdict: 'never' },
      ]);
      // Nothing is left of it: other pictures are decoded, and so is this one once nothing ends its decoder.
      expect(await thumbnail('svg')(decoders)).toHaveProperty('picture');
      expect(await header(decoders)).toMatchObject({ width: 320 });
    },
  );

  it('without a picture has nothing to blame, however often', async () => {
    const dooms: Doom[] = [];
    const { decoders, verdicts } = mortal(dooms);
    for (let round = 0; round < 2; round++) {
      dooms.push(...new Array<Doom>(2).fill({ phase: 'computing', fate: 'SIGSEGV' }));
      await expect(decoders.run('versions', {}, SECONDS)).rejects.toMatchObject({ code: 'unavailable' });
      expect(verdicts()).toEqual(['again', 'later']);
    }
  });

  it('by an exception that nothing catches counts as well', async () => {
    const dooms: Doom[] = [{ phase: 'computing', fate: 'throw' }];
    const { decoders, deaths } = mortal(dooms);
    expect(await header(decoders)).toMatchObject({ width: 320 });
    expect(deaths).toMatchObject([{ signal: 'SIGABRT', verdict: 'again' }]);
  });
});

describe.runIf(process.platform === 'linux')('the time that a job may take', () => {
  it('isn’t used up while its process has no processor', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const decoders = createDecoders(() => {
      const decoder = launchDecoder({ name: 'permissions' });
      launched.add(decoder);
      const pid = decoder.pid as number;
      return {
        ...decoder,
        send(message) {
          decoder.send(message);
          process.kill(pid, 'SIGSTOP');
          // Longer than the job may take.
          setTimeout(() => {
            process.kill(pid, 'SIGCONT');
            resolve();
          }, 1_500);
        },
      };
    });
    expect(await decoders.run('versions', {}, 1)).toHaveProperty('vips');
    await promise;
  });

  it('ends one that hangs without a processor for now', async () => {
    const { decoders, deaths } = mortal([{ phase: 'computing', fate: 'SIGSTOP' }], { patience: 0, graceSeconds: 3 });
    await expect(header(decoders)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/too busy/) });
    expect(deaths).toMatchObject([{ signal: 'SIGKILL', verdict: 'later' }]);
  });

  it('ends one that never leaves its job, and rejects the picture', async () => {
    const { decoders, deaths } = mortal([{ phase: 'computing', fate: 'spin' }], { patience: 20, graceSeconds: 3 });
    await expect(decoders.run('header', { limits }, 0.2, { input: input('png') })).rejects.toMatchObject({ code: 'image_too_large' });
    expect(deaths).toMatchObject([{ signal: 'SIGKILL', verdict: 'never' }]);
  });
});
