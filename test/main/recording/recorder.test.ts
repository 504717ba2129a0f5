import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import { type Chosen, createRecorder, type Recorder, type RecordingLimits } from '#main/recording/recorder.ts';
import type { RecordingFile } from '#main/recording/recording-file.ts';
import { FakeClock } from '../fake-clock.ts';

const CHOSEN: Chosen = { source: 'screen:1:0', display: '1', size: { width: 1920, height: 1080 } };
const PART = new Uint8Array(100);

let clock: FakeClock;
let chosen: PromiseWithResolvers<Chosen | undefined>;
let preferences: Preferences;
let limits: RecordingLimits;
let size: number;
let diskError: (Error & { code?: string }) | undefined;
let recorder: Recorder;
const did: unknown[] = [];
const stage = { choose: vi.fn(), cancel: vi.fn(), open: vi.fn(), refresh: vi.fn(), close: vi.fn() };

beforeEach(() => {
  clock = new FakeClock();
  chosen = Promise.withResolvers();
  preferences = { ...DEFAULT_PREFERENCES, recordCountdown: 0, recordSound: true };
  limits = { seconds: 0, bytes: 0 };
  size = 0;
  diskError = undefined;
  did.length = 0;
  for (const mock of Object.values(stage)) mock.mockReset();
  stage.choose.mockImplementation(() => chosen.promise);
  stage.cancel.mockImplementation(() => chosen.resolve(undefined));
  const file: RecordingFile = {
    path: '/spool/a.mp4',
    size: () => size,
    async append(_position, bytes) {
      if (diskError) throw diskError;
      size += bytes.byteLength;
    },
    keepPoster: async () => undefined,
    end: async () => size,
  };
  recorder = createRecorder({
    stage,
    clock,
    preferences: () => preferences,
    limits: async () => limits,
    begin: async () => ({ file, list: () => 'an id' }),
    keep: async (...kept) => void did.push(['keep', ...kept]),
    forget: async (...forgotten) => void did.push(['forget', ...forgotten]),
    canRecordSound: false,
    tell: (error) => did.push(error instanceof Reason ? error.text : error),
  });
});

async function begin() {
  chosen.resolve(CHOSEN);
  await recorder.toggle('screen');
  recorder.ready();
  await vi.waitFor(() => expect(recorder.phase()).toBe('recording'));
}

test('the key chooses, begins, and stops; then there is a draft', async () => {
  const toggled = recorder.toggle('region');
  expect(recorder.phase()).toBe('choosing');
  chosen.resolve(CHOSEN);
  await toggled;
  expect(recorder.bar()).toMatchObject({ phase: 'opening', film: { framesPerSecond: 30, width: 1920, sound: false, crop: null } });
  recorder.ready();
  await vi.waitFor(() => expect(recorder.phase()).toBe('recording'));
  expect(await recorder.append(0, PART, 1)).toBeNull();
  const ended = recorder.ended();
  await recorder.toggle('region', true);
  expect(recorder.phase()).toBe('stopping');
  await recorder.append(100, PART, 1.5);
  await recorder.filmEnded(null);
  expect(did).toEqual([['keep', 'an id', 200, true]]);
  expect(await ended).toBe('an id');
  expect(recorder.phase()).toBe('idle');
  expect(stage.close).toHaveBeenCalledOnce();
});

test('the key cancels a choice and a countdown, and nothing is left', async () => {
  const choosing = recorder.toggle('region');
  await vi.waitFor(() => expect(stage.choose).toHaveBeenCalled());
  await recorder.toggle('region');
  await choosing;
  expect([recorder.phase(), stage.open.mock.calls]).toEqual(['idle', []]);
  chosen = Promise.withResolvers();
  chosen.resolve(CHOSEN);
  preferences.recordCountdown = 3;
  await recorder.toggle('screen');
  recorder.ready();
  clock.pass(1_000);
  expect(recorder.bar()).toMatchObject({ phase: 'counting', count: 2 });
  await recorder.toggle('screen');
  clock.pass(10_000);
  expect(recorder.phase()).toBe('idle');
  expect(did).toEqual([]);
});

test('the key cancels before there is anything to choose from', async () => {
  const starting = recorder.toggle('region');
  await recorder.toggle('region');
  await starting;
  expect([recorder.phase(), stage.choose.mock.calls, did]).toEqual(['idle', [], []]);
});

test('there is one at a time, which a failure to choose ends', async () => {
  stage.choose.mockRejectedValue(new Reason('captureNoScreen'));
  await expect(recorder.start('screen')).rejects.toMatchObject({ text: 'captureNoScreen' });
  expect(recorder.phase()).toBe('idle');
  stage.choose.mockImplementation(() => chosen.promise);
  await begin();
  await expect(recorder.start('screen')).rejects.toMatchObject({ text: 'recordingOpen' });
});

test('what the system refuses is told, with its reason', async () => {
  chosen.resolve(CHOSEN);
  await recorder.toggle('screen');
  await recorder.filmEnded('NotAllowedError');
  expect([recorder.phase(), did]).toEqual(['idle', ['recordingRefused']]);
});

test('warns before the account’s limits, and stops there', async () => {
  limits = { seconds: 60, bytes: 0 };
  await begin();
  expect(await recorder.append(0, PART, 20)).toBeNull();
  expect(await recorder.append(100, PART, 40)).toBe(18);
  expect(recorder.phase()).toBe('recording');
  expect(await recorder.append(200, PART, 58)).toBe(0);
  expect(recorder.phase()).toBe('stopping');
  await recorder.filmEnded(null);
  expect(did).toEqual([['keep', 'an id', 300, false], 'recordingAtLimit']);
});

test('a limit of size is one of time, too', async () => {
  limits = { seconds: 0, bytes: 1_000 };
  await begin();
  expect(await recorder.append(0, PART, 10)).toBeNull();
  for (let part = 1; part < 7; part++) await recorder.append(100 * part, PART, 10 + part);
  expect(await recorder.append(700, PART, 40)).toBe(8);
  expect(await recorder.append(800, PART, 16)).toBe(0);
  expect(recorder.phase()).toBe('stopping');
});

test('keeps what is there when the disk is full, the page is lost, or it doesn’t end', async () => {
  await begin();
  await recorder.append(0, PART, 1);
  diskError = Object.assign(new Error('full'), { code: 'ENOSPC' });
  await expect(recorder.append(100, PART, 2)).rejects.toThrow('full');
  expect(did).toEqual([['keep', 'an id', 100, false], 'recordingDiskFull']);
  diskError = undefined;
  const hang = () => {
    recorder.stop();
    clock.pass(10_000);
  };
  for (const lose of [() => recorder.lost(false), hang]) {
    did.length = 0;
    chosen = Promise.withResolvers();
    await begin();
    await recorder.append(size, PART, 1);
    lose();
    await vi.waitFor(() => expect(recorder.phase()).toBe('idle'));
    expect(did[0]).toEqual(['keep', 'an id', size, false]);
  }
});

test('what is discarded, or has no fragment, is forgotten', async () => {
  await begin();
  await recorder.append(0, PART, 1);
  const ended = recorder.ended();
  await recorder.discard();
  expect([did, await ended]).toEqual([[['forget', '/spool/a.mp4', 'an id']], undefined]);
  await expect(recorder.append(100, PART, 2)).rejects.toThrow('no recording');
  did.length = 0;
  size = 0;
  await begin();
  recorder.lost(false);
  await vi.waitFor(() => expect(did).toEqual([['forget', '/spool/a.mp4', undefined], 'recordingFailed']));
});

test('pauses only what runs, and stops what is paused', async () => {
  recorder.pause();
  expect(recorder.phase()).toBe('idle');
  await begin();
  recorder.pause();
  expect(recorder.phase()).toBe('paused');
  recorder.resume();
  recorder.pause();
  const closed = recorder.close();
  expect(recorder.phase()).toBe('stopping');
  await recorder.filmEnded(null);
  await closed;
});
