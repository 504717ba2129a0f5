import {
  BufferSource,
  BufferTarget,
  CanvasSink,
  CanvasSource,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  VideoSampleSink,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { describe, expect, test, vi } from 'vitest';
import { animate } from '#renderer/desktop/edit/video/animate.ts';
import { cutVideo, snapped } from '#renderer/desktop/edit/video/cut.ts';
import { openVideo, posterOf } from '#renderer/desktop/edit/video/source.ts';
import bFrames from '#test/fixtures/video/b-frames.mp4?url';
import blackStart from '#test/fixtures/video/black-start.webm?url';

const bytesAt = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Encoders store whole blocks of 16 points, and say what is shown of them. */
const SIZE = { width: 154, height: 90 };

function drawSquare(context: OffscreenCanvasRenderingContext2D, at: number) {
  context.fillStyle = `hsl(${at * 12} 60% 50%)`;
  context.fillRect(0, 0, SIZE.width, SIZE.height);
  context.fillStyle = '#fff';
  context.fillRect(at * 4, 20 + at, 30, 30);
}

/** Three seconds of a moving square with a key frame each second, as a recording has them. */
async function recorded(codec: 'avc' | 'vp9' | 'av1' | 'vp8', draw = drawSquare): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({
    format: codec === 'vp8' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'fragmented' }),
    target,
  });
  const canvas = new OffscreenCanvas(SIZE.width, SIZE.height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  const source = new CanvasSource(canvas, { codec, bitrate: 400_000, keyFrameInterval: 1, hardwareAcceleration: 'prefer-software' });
  output.addVideoTrack(source);
  await output.start();
  for (let at = 0; at < 30; at++) {
    draw(context, at);
    await source.add(at / 10, 0.1);
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

interface Shown {
  time: number;
  /** Grey values of the picture. */
  luma: Uint8Array;
}

async function shownIn(bytes: Uint8Array): Promise<Shown[]> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF, WEBM] });
  const video = await input.getPrimaryVideoTrack();
  const shown: Shown[] = [];
  if (!video) return shown;
  for await (const sample of new VideoSampleSink(video).samples()) {
    const frame = sample.toVideoFrame();
    const data = new Uint8Array(frame.allocationSize());
    await frame.copyTo(data);
    shown.push({ time: sample.timestamp, luma: data.slice(0, sample.codedWidth * sample.codedHeight) });
    frame.close();
    sample.close();
  }
  input.dispose();
  return shown;
}

/** Decibels by which a picture is stronger than its difference from another; infinite where they are the same. */
function likeness(one: Uint8Array, other: Uint8Array): number {
  const error = one.reduce((sum, value, index) => sum + (value - (other[index] ?? 0)) ** 2, 0) / one.length;
  return error === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10(255 ** 2 / error);
}

async function cutOf(bytes: Uint8Array, from: number, to: number, isMuted = false) {
  const source = await openVideo(bytes.length, async (start, end) => bytes.slice(start, end));
  const parts: { data: Uint8Array; position: number }[] = [];
  await cutVideo(source, { from, to, isMuted }, async (data, position) => parts.push({ data: data.slice(), position }));
  const result = new Uint8Array(Math.max(...parts.map(({ data, position }) => position + data.length)));
  for (const { data, position } of parts) result.set(data, position);
  source.close();
  return { result };
}

/** How many seconds of sound there are, and when it begins. */
async function soundIn(bytes: Uint8Array) {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF, WEBM] });
  const audio = await input.getPrimaryAudioTrack();
  return audio && { start: await audio.getFirstTimestamp(), end: await audio.computeDuration() };
}

/** From a frame to another; the frames between the last two of each are in groups of pictures that are kept as a whole. */
const CUTS = [
  [0, 30, 0, 30],
  [7, 26, 10, 20],
  [10, 20, 10, 20],
  [3, 6, 0, 0],
  [27, 30, 0, 0],
] as const;

test.each(['b-frames', 'avc', 'vp9', 'av1', 'vp8'] as const)(
  'a cut of %s has exactly the frames between its ends, copied where that is possible',
  async (name) => {
    const bytes = name === 'b-frames' ? await bytesAt(bFrames) : await recorded(name);
    const all = await shownIn(bytes);
    for (const [from, to, same, other] of CUTS) {
      const { result } = await cutOf(bytes, from, to);
      const shown = await shownIn(result);
      expect(shown, `${from} to ${to}`).toHaveLength(to - from);
      for (const [index, { time, luma }] of shown.entries()) {
        const before = all[from + index] as Shown;
        expect(time).toBeCloseTo(before.time - (all[from] as Shown).time, 2);
        const isSame = from + index >= same && from + index < other;
        expect(likeness(luma, before.luma), `${from + index} of ${from} to ${to}`).toBeGreaterThanOrEqual(
          isSame ? Number.POSITIVE_INFINITY : 38,
        );
      }
    }
  },
);

test('what is cut off isn’t in the file, sound included', async () => {
  const bytes = await bytesAt(bFrames);
  const latin1 = new TextDecoder('latin1');
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  const packets: { time: number; text: string }[] = [];
  for (const track of await input.getTracks())
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets())
      packets.push({ time: timestamp, text: latin1.decode(data) });
  // Frames in which nothing happens are all the same.
  const telling = packets.filter(({ text }) => text.length > 40);
  const { result } = await cutOf(bytes, 17, 30);
  const file = latin1.decode(result);
  const found = telling.filter(({ text }) => file.includes(text)).map(({ time }) => time);
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((time) => time < 1.7 - 0.001 || time >= 3)).toEqual([]);
  expect(await soundIn(result)).toMatchObject({ start: expect.closeTo(0, 1), end: expect.closeTo(1.3, 1) });
  expect(await soundIn((await cutOf(bytes, 17, 30, true)).result)).toBeNull();
});

test('where nothing can be encoded, a cut begins with a key frame and copies everything', async () => {
  const bytes = await bytesAt(bFrames);
  const all = await shownIn(bytes);
  const supported = vi.spyOn(VideoEncoder, 'isConfigSupported').mockResolvedValue({ supported: false });
  const source = await openVideo(bytes.length, async (start, end) => bytes.slice(start, end));
  expect([4, 7, 26, 39].map((from) => snapped(source, from))).toEqual([0, 10, 30, 30]);
  const { result } = await cutOf(bytes, 10, 36);
  supported.mockRestore();
  const shown = await shownIn(result);
  // The last ones need a frame that is cut off.
  expect(shown.length).toBeGreaterThan(22);
  for (const [index, { luma }] of shown.entries()) expect(likeness(luma, (all[10 + index] as Shown).luma)).toBe(Number.POSITIVE_INFINITY);
});

describe('an animation', () => {
  const whole = { from: 0, to: 40 };

  async function animationOf(bytes: Uint8Array, kind: 'gif' | 'webp', part: { from: number; to: number }, width: number) {
    const source = await openVideo(bytes.length, async (start, end) => bytes.slice(start, end));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const made = await animate(source, part, { kind, width, rate: 10 }, options);
    source.close();
    const decoder = new ImageDecoder({ data: made, type: `image/${kind}` });
    await decoder.tracks.ready;
    await decoder.completed;
    const frames: { milliseconds: number; pixels: Uint8ClampedArray }[] = [];
    for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      frames.push({ milliseconds: (image.duration ?? 0) / 1000, pixels: pixelsOf(image, width) });
      image.close();
    }
    return { made, frames };
  }

  function pixelsOf(image: CanvasImageSource, width: number) {
    const canvas = new OffscreenCanvas(width, width * 0.75);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  }

  test.each(['gif', 'webp'] as const)('is a %s that shows every frame where and when the video does', async (kind) => {
    const bytes = await bytesAt(bFrames);
    const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
    const video = (await input.getPrimaryVideoTrack()) as InputVideoTrack;
    const { frames } = await animationOf(bytes, kind, whole, 64);
    expect(frames).toHaveLength(40);
    expect(frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBe(4000);
    let index = 0;
    for await (const { canvas } of new CanvasSink(video).canvases()) {
      const shown = new Uint8Array(pixelsOf(canvas, 64));
      expect(likeness(new Uint8Array(frames[index]?.pixels ?? []), shown), `frame ${index}`).toBeGreaterThan(kind === 'gif' ? 28 : 21);
      index++;
    }
    expect((await animationOf(bytes, kind, { from: 10, to: 20 }, 32)).frames).toHaveLength(10);
  });

  test('stores only what changes, and shows longer what doesn’t', async () => {
    const { made, frames } = await animationOf(await recorded('vp9', () => undefined), 'gif', { from: 0, to: 30 }, 160);
    expect(frames).toHaveLength(1);
    expect(made.length).toBeLessThan(5000);
  });
});

test('a poster is the frame that was chosen, or else one that isn’t black', async () => {
  const bytes = await bytesAt(blackStart);
  const source = await openVideo(bytes.length, async (start, end) => bytes.slice(start, end));
  const brightest = async (chosen: number | undefined) => {
    const picture = await createImageBitmap((await posterOf(source, chosen, [0, source.frames.length])) as Blob);
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    return Math.max(...context.getImageData(0, 0, picture.width, picture.height).data.filter((_, at) => at % 4 < 3));
  };
  expect(await brightest(0)).toBeLessThan(24);
  expect(await brightest(undefined)).toBeGreaterThan(100);
  source.close();
});
