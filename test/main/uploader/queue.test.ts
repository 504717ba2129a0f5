import { expect, test, vi } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { describeFailure, type Failure, Reason } from '#main/base/reasons.ts';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';
import { notifyOfPaused, notifyOfWaiting } from '#main/uploader/notices.ts';
import { FileChanged } from '#main/uploader/send.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { settle, uploaderIn } from './harness.ts';

const refusal = (status: number, code: ErrorCode, retryAfter?: number) =>
  new ApiError(status, 'refused', { code, ...(retryAfter !== undefined && { retry_after: retryAfter }) });

test('sends three at a time, in order, and leaves one place free of watch folders', async () => {
  const { uploader, started, files, addFromFolder, now } = uploaderIn();
  addFromFolder(files('f1', 'f2', 'f3'));
  await settle();
  expect(started).toEqual(['f1', 'f2']);
  uploader.upload(files('a', 'b'), 'chosen');
  expect(started).toEqual(['f1', 'f2', 'a']);
  now('f1').work.resolve(uploadedImage());
  await settle();
  expect(started).toEqual(['f1', 'f2', 'a', 'b']);
});

test('continues after a failed upload, which stays listed until it is retried', async () => {
  const { uploader, started, delivered, files, now } = uploaderIn();
  const batch = uploader.upload(files('bad', 'good'), 'chosen');
  now('bad').work.reject(refusal(415, 'damaged_image'));
  now('good').work.resolve(uploadedImage());
  expect(await batch.delivered).toMatchObject({ done: [{ key: uploadedImage().key }], failed: [{ name: 'bad' }], copied: true });
  expect(uploader.list('failed', 10, 0)).toMatchObject([{ name: 'bad', failure: { code: 'damaged_image' } }]);
  uploader.change('retry', 'all');
  expect(started).toEqual(['bad', 'good', 'bad']);
  now('bad').work.resolve(uploadedImage());
  await settle();
  expect(delivered).toMatchObject([{ origin: 'chosen' }, { origin: 'retried', failed: [], done: [{}] }]);
});

test('forgets finished uploads, whose links are still delivered with their batch', async () => {
  const { uploader, files, now } = uploaderIn();
  const batch = uploader.upload(files('first', 'second'), 'chosen');
  now('first').work.resolve(uploadedImage());
  await settle();
  const [first] = uploader.list('done', 10, 0);
  uploader.change('forget', [first?.id ?? '']);
  await settle();
  expect(uploader.list('done', 10, 0)).toEqual([]);
  uploader.change('forget', 'all');
  expect(uploader.summary()).toMatchObject({ done: 0, sending: 1 });
  now('second').work.resolve(uploadedImage());
  expect((await batch.delivered).done).toHaveLength(2);
  expect(uploader.list('done', 10, 0)).toMatchObject([{ name: 'second' }]);
});

test('an unavailable service makes uploads wait, without counting as attempts, until it is back', async () => {
  const { uploader, account, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a', 'b'), 'chosen');
  now('a').work.reject(new NetworkError('Could not reach the service'));
  now('b').work.reject(new Reason('serviceUnreachable'));
  await settle();
  expect(uploader.summary()).toMatchObject({ queued: 2, failed: 0, isWaiting: true });
  account.become('waiting');
  clock.pass(3_600_000);
  expect(started).toEqual(['a', 'b']);
  account.become('ready');
  expect(started).toEqual(['a', 'b', 'a', 'b']);
  expect(now('a').item.attempts).toBe(0);
});

test('waits longer after each failure to reach a service that seems to run', async () => {
  const { uploader, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  for (const [index, seconds] of [1, 2, 5, 10, 30, 30].entries()) {
    now('a').work.reject(new NetworkError('Could not reach the service'));
    await settle();
    clock.pass(seconds * 1_000 - 1);
    expect(started).toHaveLength(index + 1);
    clock.pass(1);
    expect(started).toHaveLength(index + 2);
  }
});

test('waits as long as the service asks', async () => {
  const { uploader, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a', 'b'), 'chosen');
  now('a').work.reject(refusal(429, 'rate_limited', 90));
  now('b').work.resolve(uploadedImage());
  await settle();
  clock.pass(89_999);
  expect(started).toEqual(['a', 'b']);
  clock.pass(1);
  expect(started).toEqual(['a', 'b', 'a']);
});

test.each([
  ['a full disk', refusal(507, 'storage_full')],
  ['a full object store, whatever wait an older service asks for', refusal(507, 'storage_full', 5)],
  ['something else at the service’s address', new NetworkError('not Pixdock', { status: 404, retryAfter: 5 })],
])('waits a minute for %s, without counting attempts', async (_, error) => {
  const { uploader, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    now('a').work.reject(error);
    await settle();
    expect(uploader.summary()).toMatchObject({ queued: 1, failed: 0, isWaiting: true });
    clock.pass(59_999);
    expect(started).toHaveLength(attempt);
    clock.pass(1);
    expect(started).toHaveLength(attempt + 1);
  }
});

test('fails an upload that a proxy finds too large, and continues with the others', async () => {
  const { uploader, files, now } = uploaderIn();
  uploader.upload(files('large', 'b'), 'chosen');
  now('large').work.reject(new NetworkError('not Pixdock', { status: 413 }));
  await settle();
  expect(uploader.list('failed', 10, 0)).toMatchObject([{ name: 'large', failure: { code: 'body_too_large' } }]);
  expect(uploader.summary()).toMatchObject({ failed: 1, sending: 1, isWaiting: false });
});

test('retries an upload after a server error, and gives up after six responses', async () => {
  const { uploader, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a', 'b'), 'chosen');
  for (let attempt = 0; attempt < 6; attempt += 1) {
    now('a').work.reject(refusal(500, 'internal'));
    await settle();
    clock.pass(300_000);
  }
  expect(started.filter((name) => name === 'a')).toHaveLength(6);
  expect(uploader.summary()).toMatchObject({ failed: 1, sending: 1 });
});

test('sends a file that changed between two attempts as a new upload', async () => {
  const { uploader, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  const { key, id } = now('a').item;
  now('a').work.reject(refusal(409, 'idempotency_conflict'));
  await settle();
  expect(now('a').item).toMatchObject({ id });
  expect(now('a').item.key).not.toBe(key);
});

test('leaves it to the user whether to send a picture that was deleted meanwhile again, and then sends it as a new upload', async () => {
  const { uploader, started, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  const { key } = now('a').item;
  now('a').work.reject(refusal(410, 'deleted'));
  await settle();
  expect(uploader.summary()).toMatchObject({ failed: 1 });
  uploader.change('retry', 'all');
  expect(started).toEqual(['a', 'a']);
  expect(now('a').item.key).not.toBe(key);
});

test('forgets a watch folder’s file that has changed since it was looked at', async () => {
  const { uploader, files, addFromFolder, now } = uploaderIn();
  addFromFolder(files('a'));
  now('a').work.reject(new FileChanged('changed'));
  await settle();
  expect(uploader.summary()).toMatchObject({ queued: 0, sending: 0, failed: 0 });
});

test('pausing interrupts uploads, survives a restart, and resuming starts them over', async () => {
  const first = uploaderIn();
  first.uploader.upload(first.files('a', 'b'), 'chosen');
  first.uploader.setPaused(true);
  await settle();
  expect(first.now('a').attempt.signal.aborted).toBe(true);
  expect(first.uploader.summary()).toMatchObject({ queued: 2, isPaused: true });
  first.journal.close();
  const second = uploaderIn(first.folder);
  await settle();
  expect(second.started).toEqual([]);
  second.uploader.setPaused(false);
  expect(second.started).toEqual(['a', 'b']);
});

test('one upload can be paused, resumed and discarded while it is sent', async () => {
  const { uploader, started, files, now } = uploaderIn();
  const { ids, delivered } = uploader.upload(files('a', 'b'), 'chosen');
  uploader.change('pause', ids.slice(0, 1));
  await settle();
  expect(uploader.list('open', 10, 0)).toMatchObject([
    { name: 'b', state: 'sending' },
    { name: 'a', state: 'paused' },
  ]);
  uploader.change('resume', 'all');
  expect(started).toEqual(['a', 'b', 'a']);
  uploader.change('discard', ids.slice(0, 1));
  await settle();
  now('b').work.resolve(uploadedImage());
  expect(await delivered).toMatchObject({ done: [{}], failed: [] });
  expect(uploader.summary()).toMatchObject({ sending: 0, queued: 0, finished: 1 });
});

test('keeps uploads for one account from another', async () => {
  const { uploader, account, started, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  now('a').work.reject(new NetworkError('Could not reach the service'));
  await settle();
  account.userId = 2;
  account.become('ready');
  expect(started).toEqual(['a']);
  expect(uploader.summary()).toMatchObject({ forOthers: 1 });
  account.userId = 1;
  account.become('ready');
  expect(started).toEqual(['a', 'a']);
});

test('waits while the journal can’t be written, and then sends what it couldn’t finish again', async () => {
  const { uploader, journal, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  const { finish } = journal.items;
  journal.items.finish = () => {
    throw new Error('database or disk is full');
  };
  now('a').work.resolve(uploadedImage());
  await settle();
  expect(uploader.summary()).toMatchObject({ isWaiting: true, finished: 0 });
  journal.items.finish = finish;
  clock.pass(1_000);
  expect(started).toEqual(['a', 'a']);
  now('a').work.resolve(uploadedImage());
  await settle();
  expect(uploader.summary()).toMatchObject({ isWaiting: false, finished: 1 });
});

test('measures bytes and speed of each upload', async () => {
  const { uploader, clock, files, now } = uploaderIn();
  const { ids } = uploader.upload(files('a'), 'chosen');
  now('a').attempt.onBytes(1_000);
  clock.pass(2_000);
  now('a').attempt.onBytes(3_000);
  expect(uploader.progress(ids[0] ?? '')).toEqual({ sent: 4_000, bytesPerSecond: 2_000 });
});

test('delivers at the next start what could not be delivered, marked as late', async () => {
  const first = uploaderIn();
  first.uploader.upload(first.files('a'), 'clipboard', { mark: 'm' });
  const { id } = first.now('a').item;
  first.journal.items.finish(id, uploadedImage());
  first.journal.close();
  const second = uploaderIn(first.folder);
  await settle();
  expect(second.delivered).toMatchObject([{ late: true, links: { mark: 'm' }, done: [{ key: uploadedImage().key }] }]);
});

test('removes a spooled file once it is uploaded or discarded, and keeps it while it has failed', async () => {
  const { uploader, spool, now, delivered: results } = uploaderIn();
  const file = await spool.keep(new TextEncoder().encode('picture'), 'a.png');
  const removed: string[] = [];
  spool.remove = (path) => Promise.resolve(void removed.push(path));
  const { ids, delivered } = uploader.upload([file], 'clipboard');
  now('a.png').work.reject(refusal(415, 'damaged_image'));
  await delivered;
  expect(removed).toEqual([]);
  uploader.change('dismiss', ids);
  await settle();
  expect(removed).toEqual([`${file.path}.poster.jpg`, file.path]);
  expect(results).toHaveLength(1);
});

test('a caller gets the result of its batch even when the user could not be told', async () => {
  const { uploader, files, now } = uploaderIn(undefined, () => Promise.reject(new Error('no notifications')));
  const { delivered } = uploader.upload(files('a'), 'chosen');
  now('a').work.resolve(uploadedImage());
  expect(await delivered).toMatchObject({ done: [{}], copied: false });
});

test('an upload that is resumed while its interrupted attempt still ends isn’t sent twice at a time', async () => {
  const { uploader, started, files, now } = uploaderIn();
  const { ids } = uploader.upload(files('a'), 'chosen');
  uploader.change('pause', ids);
  uploader.change('resume', ids);
  expect(started).toEqual(['a']);
  await settle();
  expect(started).toEqual(['a', 'a']);
  now('a').work.resolve(uploadedImage());
  await settle();
  expect(uploader.summary()).toMatchObject({ sending: 0, queued: 0, finished: 1 });
});

test('ends an upload that is discarded after its result could not be written down', async () => {
  const { uploader, journal, files, now } = uploaderIn();
  const { delivered } = uploader.upload(files('a'), 'chosen');
  journal.items.finish = () => {
    throw new Error('database or disk is full');
  };
  now('a').work.resolve(uploadedImage());
  await settle();
  uploader.change('discard', 'all');
  expect(await delivered).toMatchObject({ done: [], failed: [] });
});

test('carries out changes to thousands of uploads in the order they were asked for', async () => {
  const { uploader, account, files } = uploaderIn();
  account.become('waiting');
  uploader.upload(files(...Array.from({ length: 450 }, (_, index) => `${index}`)), 'chosen');
  uploader.change('pause', 'all');
  uploader.change('resume', 'all');
  await expect.poll(() => uploader.summary()).toMatchObject({ queued: 450, paused: 0 });
  uploader.change('discard', 'all');
  await expect.poll(() => uploader.summary()).toMatchObject({ queued: 0 });
});

test('a batch without files is over at once', async () => {
  const { uploader } = uploaderIn();
  expect(await uploader.upload([], 'chosen').delivered).toMatchObject({ done: [], failed: [] });
});

test('waits at least a second, whatever the service asks for', async () => {
  const { uploader, clock, started, files, now } = uploaderIn();
  uploader.upload(files('a'), 'chosen');
  now('a').work.reject(refusal(503, 'unavailable', 0));
  await settle();
  clock.pass(999);
  expect(started).toEqual(['a']);
  clock.pass(1);
  expect(started).toEqual(['a', 'a']);
});

test('the size of a file that is being sent is known, and how much of all of them has been sent', async () => {
  const { uploader, files, now } = uploaderIn();
  const { ids } = uploader.upload(files('a', 'b'), 'chosen');
  expect(uploader.share()).toBeUndefined();
  now('a').attempt.onSize(100);
  now('b').attempt.onSize(300);
  now('a').attempt.onBytes(40);
  now('b').attempt.onBytes(60);
  expect(uploader.progress(ids[0] ?? '')).toMatchObject({ sent: 40, size: 100 });
  expect(uploader.share()).toBe(0.25);
  now('a').attempt.onBytes(500); // headers count, too
  now('b').attempt.onBytes(500);
  expect(uploader.share()).toBe(1);
});

test('says of a failure whether others of its batch still run', async () => {
  const { uploader, files, now } = uploaderIn();
  const ended: [string, boolean][] = [];
  uploader.onEnded(({ item, isLast }) => void ended.push([item.name, isLast]));
  uploader.upload(files('bad', 'good'), 'chosen');
  now('bad').work.reject(refusal(415, 'damaged_image'));
  await settle();
  expect(ended).toEqual([['bad', false]]);
  now('good').work.resolve(uploadedImage());
  await settle();
  expect(ended).toEqual([
    ['bad', false],
    ['good', true],
  ]);
});

test('the user is told once when uploads begin to wait, and why, unless the service is only starting', async () => {
  const { uploader, account, clock, files } = uploaderIn();
  const notify = vi.fn();
  const own = (failure: Failure) => describeFailure(failure, en, true);
  notifyOfWaiting({ uploader, clock, notify, texts: () => en, describe: own, hasCard: () => false, open: () => undefined });
  account.become('waiting');
  clock.pass(60_000);
  expect(notify).not.toHaveBeenCalled(); // nothing waits
  uploader.upload(files('a', 'b'), 'chosen');
  clock.pass(4_000);
  account.become('ready');
  clock.pass(60_000);
  expect(notify).not.toHaveBeenCalled();
  account.become('waiting');
  uploader.upload(files('c'), 'chosen');
  clock.pass(6_000);
  account.become('waiting');
  clock.pass(60_000);
  expect(notify.mock.calls).toEqual([
    [expect.objectContaining({ title: '3 uploads are waiting', body: en.serviceUnavailable, failure: true })],
  ]);
});

test('the user is told of each of their uploads that a pause holds back, and of nothing that an earlier run left', async () => {
  const { uploader, files, now } = uploaderIn();
  const notify = vi.fn();
  uploader.setPaused(true);
  uploader.upload(files('earlier'), 'chosen');
  notifyOfPaused({ uploader, notify, texts: () => en, open: () => undefined });
  uploader.setPaused(true);
  expect(notify).not.toHaveBeenCalled();
  uploader.upload(files('a'), 'chosen');
  uploader.upload(files('b', 'c'), 'chosen');
  expect(notify.mock.calls.map(([{ title, body }]) => [title, body])).toEqual([
    ['Uploads are paused', en.pausedHint(2)],
    ['Uploads are paused', en.pausedHint(4)],
  ]);
  uploader.setPaused(false);
  uploader.upload(files('d'), 'chosen');
  now('earlier').work.resolve(uploadedImage());
  await settle();
  expect(notify).toHaveBeenCalledTimes(2);
});

test('one’s own full disk isn’t called the server’s', () => {
  const failure = { kind: 'refusal' as const, code: 'storage_full', message: 'The server’s disk is nearly full.' };
  expect(describeFailure(failure, en, true)).toBe(en.ownDiskFull);
  expect(describeFailure(failure, en)).toBe('The server’s disk is nearly full.');
  expect(describeFailure(failure, zh, true)).toBe(zh.ownDiskFull);
});
