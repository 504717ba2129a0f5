// Measures recordings of the screen, on the Electron double: a clock that flashes and beeps each second, at 1080p and 30 frames a second, for a
// minute; and the way from Stop to the link on the clipboard. Needs ffmpeg, to decode what was recorded.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { choose } from '#test/desktop/drafts.ts';
import { launchDesktop } from '#test/desktop/launch.ts';
import { describeFilm, itemsIn, recordPage, recordScreen, shownSeconds } from '#test/desktop/recordings.ts';
import { median } from './support/load.ts';
import { cpuSeconds, openWorkshop } from './support/programs.ts';
import { record } from './support/results.ts';

const SECONDS = 60;
const RUNS = Number(process.env.PIXDOCK_BENCH_RECORDINGS ?? 10);
const RUN_SECONDS = 30;
const FRAMES_PER_SECOND = 30;
/** Of the clock's number in the picture, in pixels. */
const BITS = { count: 12, side: 64 };
/** Hertz, after which a beep is looked for. */
const RATE = 48_000;
/** Seconds: nobody notices that the sound is apart from the picture. */
const TARGETS = { drift: 0.08 };

/** Takes the place of the screen: its number of frames in black and white, a flash and a beep each second. */
function clock({ framesPerSecond, bits }: { framesPerSecond: number; bits: typeof BITS }) {
  if (!location.href.endsWith('record.html#bar')) return;
  document.addEventListener('DOMContentLoaded', () => {
    navigator.mediaDevices.getDisplayMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1920, height: 1080 });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const audio = new AudioContext({ sampleRate: 48_000 });
      const gain = audio.createGain();
      gain.gain.value = 0;
      const tone = audio.createOscillator();
      const out = audio.createMediaStreamDestination();
      tone.connect(gain).connect(out);
      tone.start();
      const stream = canvas.captureStream(framesPerSecond);
      const begin = performance.now();
      let last = -1;
      setInterval(() => {
        const frame = Math.floor(((performance.now() - begin) * framesPerSecond) / 1000);
        if (frame === last) return;
        last = frame;
        const isOn = frame % framesPerSecond < 3;
        gain.gain.setValueAtTime(isOn ? 0.8 : 0, audio.currentTime);
        context.fillStyle = isOn ? '#fff' : '#123';
        context.fillRect(0, 0, canvas.width, canvas.height - bits.side);
        for (let bit = 0; bit < bits.count; bit++) {
          context.fillStyle = (frame >> bit) & 1 ? '#fff' : '#000';
          context.fillRect(bit * bits.side, canvas.height - bits.side, bits.side, bits.side);
        }
      }, 4);
      for (const track of out.stream.getAudioTracks()) stream.addTrack(track);
      return stream;
    };
  });
}

await using workshop = openWorkshop();
const userData = join(workshop.folder, 'user');
const desktop = await launchDesktop({ kind: 'double' }, { userData });
try {
  await desktop.app.context().addInitScript(clock, { framesPerSecond: FRAMES_PER_SECOND, bits: BITS });
  await choose(desktop, { recordCountdown: 0, recordFrames: FRAMES_PER_SECOND, afterRecording: 'ask' });
  await desktop.chooseButton(2);
  await desktop.press('Record', 'Whole screen');
  const bar = await recordPage(desktop, 'bar');
  while ((await shownSeconds(bar)) < 1) await wait(50);
  const before = { cpu: cpuSeconds(desktop.pid()), at: performance.now() };
  while ((await shownSeconds(bar)) < SECONDS + 1) await wait(200);
  const minutes = (performance.now() - before.at) / 60_000;
  const cpu = (cpuSeconds(desktop.pid()) - before.cpu) / minutes;
  await desktop.press('Stop recording');
  while (itemsIn(userData)[0]?.state !== 'draft') await wait(100);
  const path = itemsIn(userData)[0]?.path ?? '';
  await reportClock(path, cpu);
  console.log(`load average: ${loadavg().map((load) => load.toFixed(1))}`);

  // The fake screen of Chromium again, in new windows.
  await desktop.end();
  const plain = await launchDesktop({ kind: 'double' }, { userData: join(workshop.folder, 'plain') });
  const seconds: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      await plain.clearClipboard();
      await recordScreen(plain, RUN_SECONDS, { afterRecording: 'upload' });
      const from = performance.now();
      await plain.press('Stop recording');
      while (!(await plain.clipboardText()).startsWith('http')) await wait(5);
      seconds.push((performance.now() - from) / 1000);
    }
  } finally {
    await plain.end();
  }
  for (const part of [50, 95]) {
    const value = percentile(
      seconds.toSorted((a, b) => a - b),
      part,
    );
    record({ row: `from Stop to the link, ${RUN_SECONDS} s at 1080p, p${part}`, value, values: seconds, unit: 's', better: 'less' });
  }
  console.log(`load average: ${loadavg().map((load) => load.toFixed(1))}`);
} finally {
  await desktop.end();
}

async function reportClock(path: string, cpu: number) {
  const { times, size, codecs } = await describeFilm(path);
  // Where the number is, and what flashes above it.
  const numbers = picture(path, `crop=${BITS.count * BITS.side}:${BITS.side}:0:${1080 - BITS.side},scale=${BITS.count}:1`, BITS.count);
  const flash = picture(path, 'crop=64:64:960:500,scale=1:1', 1).map(([level = 0]) => level > 128);
  const frames = numbers.map((levels) => levels.reduce((number, level, bit) => number + (level > 128 ? 2 ** bit : 0), 0));
  const seen = new Set(frames).size;
  const drawn = Math.max(...frames) - Math.min(...frames) + 1;
  const shown = times.toSorted((a, b) => a - b).filter((_time, index) => flash[index] && !flash[index - 1]);
  const heard = beeps(path);
  const apart = shown.flatMap((at) => {
    const beep = heard.find((each) => Math.abs(each - at) < 0.5);
    return beep === undefined ? [] : [beep - at];
  });
  // Each beep is measured as exactly as the page was on time; what counts is how that changes.
  const part = Math.floor(apart.length / 4);
  const drift = Math.abs(median(apart.slice(-part)) - median(apart.slice(0, part)));
  const sorted = apart.map((each) => Math.abs(each)).toSorted((a, b) => a - b);
  console.log(
    `${size}, ${codecs}: ${times.length} frames, ${drawn - seen} of ${drawn} of the clock not among them, ${apart.length} flashes with a beep`,
  );
  record({ row: 'frames of the clock that are missing', value: (100 * (drawn - seen)) / drawn, values: [], unit: '%', better: 'less' });
  record({ row: 'sound after the picture, median', value: median(apart), values: apart, unit: 's', better: 'less' });
  record({
    row: 'sound apart from the picture, p95',
    value: percentile(sorted, 95),
    values: sorted,
    unit: 's',
    target: TARGETS.drift,
    better: 'less',
  });
  record({
    row: 'drift between the first and the last quarter',
    value: drift,
    values: [],
    unit: 's',
    target: TARGETS.drift,
    better: 'less',
  });
  record({ row: 'CPU time per minute, with the clock that is recorded', value: cpu, values: [], unit: 's', better: 'less' });
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? Number.NaN;
}

/** The brightness of the parts of each frame, in order. */
function picture(path: string, filter: string, parts: number): number[][] {
  const options = ['-v', 'fatal', '-i', path, '-vf', `${filter},format=gray`, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'];
  const bytes = execFileSync('ffmpeg', options, { maxBuffer: 1 << 28 });
  return Array.from({ length: Math.floor(bytes.length / parts) }, (_, index) => [...bytes.subarray(index * parts, (index + 1) * parts)]);
}

/** When beeps begin, in seconds. */
function beeps(path: string): number[] {
  const options = ['-v', 'error', '-i', path, '-ac', '1', '-ar', String(RATE), '-f', 'f32le', '-'];
  const bytes = execFileSync('ffmpeg', options, { maxBuffer: 1 << 28 });
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  const found: number[] = [];
  let quietSince = 0;
  for (const [index, sample] of samples.entries()) {
    if (Math.abs(sample) < 0.2) continue;
    if (index - quietSince > RATE / 4) found.push(index / RATE);
    quietSince = index;
  }
  return found;
}
