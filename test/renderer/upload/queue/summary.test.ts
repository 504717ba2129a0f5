import { describe, expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import { ERROR_STATUS, type ErrorCode } from '#api/errors.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';
import { refuse } from '#renderer/upload/queue/refusal.ts';
import { byUrgency, shareDone, summarise } from '#renderer/upload/queue/summary.ts';
import { TimeLeft } from '#renderer/upload/queue/time-left.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';

const item = (state: UploadItem['state'], size: number, sent: number, more: Partial<UploadItem> = {}): UploadItem => ({
  idempotencyKey: 'key',
  id: sent,
  source: new File([], 'a'),
  name: 'a',
  size,
  user: undefined,
  fields: {},
  batch: 1,
  state,
  sent,
  speed: 0,
  ...more,
});
const image = (key: string) => ({ key }) as Uploaded;

it('sums up the bytes of the current batch, without failed and cancelled files', () => {
  const summary = summarise([
    item('done', 7000, 7000),
    item('done', 100, 100, { batch: 2 }),
    item('sending', 300, 100, { batch: 2 }),
    item('processing', 100, 100, { batch: 2 }),
    item('waiting', 100, 0, { batch: 2 }),
    item('failed', 999, 5, { batch: 2 }),
    item('cancelled', 999, 5, { batch: 2 }),
  ]);
  expect(summary).toMatchObject({ open: 3, failed: 1, totalBytes: 600, sentBytes: 300, doneBytes: 200, processingBytes: 100 });
  expect(shareDone(summary)).toBe(0.5);
});

it('counts each picture once, as new or as there before', () => {
  const done = (key: string, reused: boolean) => item('done', 1, 1, { image: image(key), reused });
  const summary = summarise([done('old', true), done('new', false), done('new', true), done('old', true), done('other', false)]);
  expect(summary).toMatchObject({ added: 2, known: 1, copies: 2 });
  expect(summary.images.map(({ key }) => key)).toEqual(['old', 'new', 'other']);
});

it('tells the pictures of the current batch from earlier ones', () => {
  const done = (key: string, batch: number) => item('done', 1, 1, { image: image(key), batch });
  const summary = summarise([done('early', 1), done('twice', 1), done('late', 2), done('twice', 2), item('failed', 1, 0, { batch: 2 })]);
  expect(summary.images.map(({ key }) => key)).toEqual(['early', 'twice', 'late']);
  expect(summary.batchImages.map(({ key }) => key)).toEqual(['late', 'twice']);
});

it('offers a retry only for failures that may pass', () => {
  const refusal = (code: ErrorCode) => new ApiError(ERROR_STATUS[code], '', { code });
  const failed = (error: unknown) => item('failed', 1, 0, { error });
  const hopeless = [failed(new LocalRefusal({ code: 'ext_not_allowed' })), failed(refusal('ext_not_allowed'))];
  expect(summarise(hopeless)).toMatchObject({ failed: 2, retryable: 0 });
  const hopeful = (['unauthorized', 'quota_exceeded', 'internal', 'storage_full', 'url_unreachable', 'deleted'] as const).map(refusal);
  expect(summarise([...hopeless, ...hopeful.map(failed)]).retryable).toBe(6);
});

it('lists failures first, then what runs, waits and has ended', () => {
  const states = ['done', 'waiting', 'failed', 'sending', 'cancelled', 'processing', 'failed'] as const;
  const items = states.map((state, id) => item(state, 1, 0, { id }));
  expect(byUrgency(items).map(({ id }) => id)).toEqual([2, 6, 3, 5, 1, 0, 4]);
});

it('lists what earlier batches have left below the current one, the latest first', () => {
  const states = ['failed', 'done', 'done', 'failed', 'done', 'sending', 'failed'] as const;
  const items = states.map((state, id) => item(state, 1, 0, { id, batch: [1, 1, 2, 2, 3, 3, 3][id] ?? 0 }));
  expect(byUrgency(items).map(({ id }) => id)).toEqual([6, 5, 4, 3, 2, 0, 1]);
});

it('keeps running uploads of earlier batches among those of the current one', () => {
  const items = (['sending', 'sending', 'done'] as const).map((state, id) => item(state, 1, 0, { id, batch: id + 1 }));
  expect(byUrgency(items).map(({ id }) => id)).toEqual([0, 1, 2]);
});

const LIMITS = { max_file_bytes: 1000, max_video_bytes: 2000, max_video_seconds: 60, allowed_exts: ['jpg', 'png', 'heic'] };
const file = (name: string, size: number, type = '') => new File(['x'.repeat(size)], name, { type });

describe('refusals before sending', () => {
  it('refuses a file over the size limit, and names the limit', () => {
    expect(refuse(file('a.jpg', 1001, 'image/jpeg'), LIMITS)?.details).toEqual({ code: 'file_too_large', max_bytes: 1000 });
    expect(refuse(file('a.jpg', 1000, 'image/jpeg'), LIMITS)).toBeUndefined();
    expect(refuse(file('a.jpg', 5000, 'image/jpeg'), { ...LIMITS, max_file_bytes: 0 })).toBeUndefined();
  });

  it('refuses a file if neither its name nor its type suggests an image', () => {
    expect(refuse(file('notes.txt', 5, 'text/plain'), LIMITS)?.details).toEqual({
      code: 'ext_not_allowed',
      allowed_exts: LIMITS.allowed_exts,
    });
  });

  it('has limits of their own for videos, which are refused where they aren’t allowed', () => {
    const withVideos = { ...LIMITS, allowed_exts: ['jpg', 'mp4'] };
    for (const [name, type] of [
      ['a.mp4', 'video/mp4'],
      ['a.M4V', ''],
      ['clip', 'video/mp4'],
    ] as const) {
      expect(refuse(file(name, 2000, type), withVideos), name).toBeUndefined();
      expect(refuse(file(name, 2001, type), withVideos)?.details).toEqual({ code: 'file_too_large', max_bytes: 2000 });
    }
    for (const name of ['a.mov', 'a.webm']) expect(refuse(file(name, 5), withVideos)?.details.code).toBe('ext_not_allowed');
    expect(refuse(file('a.mp4', 5, 'video/mp4'), LIMITS)?.details.code).toBe('ext_not_allowed');
  });

  it.each([
    ['a type without a known extension', file('picture.jfif', 5, 'image/jpeg')],
    ['an extension without a type', file('IMG_1.HEIC', 5)],
    ['a name without extension', file('clipboard', 5)],
  ])('leaves %s to the service, which decides by content', (_, unsure) => {
    expect(refuse(unsure, LIMITS)).toBeUndefined();
  });

  it('refuses nothing until the limits are known', () => {
    expect(refuse(file('notes.txt', 5), undefined)).toBeUndefined();
  });
});

const MB = 1_000_000;

/** Estimates once a second while files of 2 MB are sent three at a time; `at` gives the bytes done after so many seconds. */
function estimates(seconds: number, totalBytes: number, at: (second: number) => { done: number; processing: number }) {
  const timeLeft = new TimeLeft();
  return Array.from({ length: seconds + 1 }, (_, second) => {
    const { done, processing } = at(second);
    return timeLeft.at(second * 1000, { totalBytes, doneBytes: done, processingBytes: processing });
  });
}

describe('the time left', () => {
  it('is not given before it can be known', () => {
    const [first, second, third] = estimates(2, 100 * MB, (passed) => ({ done: passed * MB, processing: 0 }));
    expect([first, second, third]).toEqual([undefined, undefined, undefined]);
    const stuck = estimates(20, 100 * MB, () => ({ done: 0, processing: 6 * MB }));
    expect(stuck.at(-1)).toBeUndefined();
  });

  it('follows the service where processing takes longer than sending', () => {
    // Three files are always sent and not yet stored; one is stored each second.
    const seen = estimates(40, 100 * MB, (second) => ({ done: Math.floor(second) * 2 * MB, processing: 6 * MB }));
    for (const [second, left] of seen.entries()) if (second >= 4) expect(Math.abs((left ?? 0) - (50 - second))).toBeLessThan(5);
  });

  it('follows a slow network, and a change of its speed', () => {
    const done = (second: number) => (second <= 30 ? second * MB : 30 * MB + (second - 30) * 0.5 * MB);
    const seen = estimates(60, 100 * MB, (second) => ({ done: done(second), processing: 0 }));
    expect(seen[10]).toBeCloseTo(90, 0);
    expect(Math.abs((seen[60] ?? 0) - 110)).toBeLessThan(15);
  });

  it('doesn’t count the time that the queue waited', () => {
    const timeLeft = new TimeLeft();
    const work = (done: number) => ({ totalBytes: 100 * MB, doneBytes: done * MB, processingBytes: 0 });
    for (let second = 0; second <= 10; second += 1) timeLeft.at(second * 1000, work(second));
    timeLeft.skip(3_600_000, work(10));
    expect(timeLeft.at(3_601_000, work(11))).toBeCloseTo(89, 0);
  });
});
