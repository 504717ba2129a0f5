import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { decoders } from '#server/platform/imaging/decoders.ts';
import { createDecoding } from '#server/platform/imaging/decoding.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import { remuxVideo } from '#server/platform/imaging/video.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { mutate } from './pictures.ts';
import { Random, setting } from './random.ts';

const INPUTS = setting('INPUTS');
const LIMIT_MS = 30_000;

it(`copies or refuses each of ${INPUTS} damaged containers within the limits of a decoder`, { timeout: INPUTS * LIMIT_MS }, async () => {
  const videos = ['h264-aac.mov', 'fragmented.mp4', 'vp9-opus.webm', 'vp8-vorbis.webm', 'two-videos.mp4', 'protected.mp4'].map(
    videoFixture,
  );
  const [input, output] = ['in', 'out'].map((name) => join(temporaryFolder(), name)) as [string, string];
  const decoding = createDecoding({ atOnce: 1, bytes: 280_000_000 }).as({ who: 'fuzzer', purpose: 'upload' });
  const pauses = monitorEventLoopDelay({ resolution: 5 });
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  let [slowest, memory] = [0, 0];
  pauses.enable();
  for (let number = 0; number < INPUTS; number++) {
    const random = new Random(`video ${number}`);
    const bytes = mutate(random, random.pick(videos), videos);
    const format = sniff(bytes);
    if (format !== 'mp4' && format !== 'mov' && format !== 'webm') continue;
    writeFileSync(input, bytes);
    const started = performance.now();
    const outcome = await remuxVideo({ file: { path: input, size: bytes.length }, format }, output, 600, decoding).then(
      () => 'copied',
      (error: unknown) => (error instanceof ImageError ? error.code : `wrong: ${error}`),
    );
    slowest = Math.max(slowest, performance.now() - started);
    memory = Math.max(memory, decoders.memory());
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome.startsWith('wrong')) wrong.push(`input ${number}: ${outcome}`);
    // The copy is a video that needs no mending itself.
    if (outcome === 'copied' && !['mp4', 'webm'].includes(sniff(readFileSync(output)) ?? '')) wrong.push(`input ${number}: no video`);
  }
  const pause = pauses.max / 1e6;
  console.log(
    `${JSON.stringify(counts)}; slowest ${Math.round(slowest)} ms; longest pause ${Math.round(pause)} ms; decoders ${Math.round(memory / 1e6)} MB`,
  );
  expect(wrong).toEqual([]);
  expect(counts.copied ?? 0).toBeGreaterThan(0);
});
