import { expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import { ERROR_STATUS, type ErrorCode } from '#api/errors.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';
import { byUrgency, shareDone, summarise } from '#renderer/upload/queue/summary.ts';
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
