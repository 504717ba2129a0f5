import { expect, test, vi } from 'vitest';
import type { LanStatus } from '#api/desktop/lan.ts';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import { createDelivery } from '#main/delivery/delivery.ts';
import type { SentImage } from '#main/journal/item.ts';
import type { Account } from '#main/service/account.ts';
import { en } from '#main/texts/en.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const NO_CARDS: Parameters<typeof createDelivery>[0]['cards'] = { finish: async (result) => result, has: () => false };
const failure = { kind: 'other' as const, code: '', message: 'It is damaged.' };

/** Delivers with what happens to be there; nothing is shared, and pictures have no thumbnails. */
const deliveryWith = (options: Partial<Parameters<typeof createDelivery>[0]>) =>
  createDelivery({
    ipc: { tell: () => undefined, handle: () => undefined },
    lan: undefined,
    clipboard: { read: async () => [], writeText: async () => undefined },
    copyPicture: undefined,
    preferences: () => DEFAULT_PREFERENCES,
    texts: () => en,
    notify: () => undefined,
    cards: NO_CARDS,
    account: { access: () => Promise.reject(new Error('no thumbnails')) } as unknown as Account,
    describe: () => '',
    openWindow: () => undefined,
    openOnServer: () => undefined,
    ...options,
  });

test('the first failure of a batch is told at once, and the others at its end, none twice', async () => {
  const notify = vi.fn();
  const { deliver, tellOfFailure } = deliveryWith({ notify, describe: ({ message }) => message });
  const bodies = () => notify.mock.calls.map(([{ body }]) => body);
  const failed = (name: string) => ({ id: name, name, failure });
  tellOfFailure({ batchId: 'one', ...failed('a.png') });
  tellOfFailure({ batchId: 'one', ...failed('b.png') });
  expect(bodies()).toEqual(['a.png: It is damaged.']);
  const batch = { origin: 'chosen' as const, links: {}, late: false, done: [] };
  await deliver({ ...batch, id: 'one', failed: [failed('a.png'), failed('b.png'), failed('c.png')] });
  expect(bodies().slice(1)).toEqual(['b.png: It is damaged.\nc.png: It is damaged.']);
  await deliver({ ...batch, id: 'two', failed: [failed('d.png')] });
  expect(bodies().slice(2)).toEqual(['d.png: It is damaged.']);
});

test('a link that only this computer can open is copied with an offer, which copies it with the address for others', async () => {
  const copied: string[] = [];
  const notify = vi.fn();
  const share = vi.fn(async () => 'http://192.168.1.5:7410');
  const options = {
    lan: { share, status: () => ({ fixed: { host: false }, elsewhere: false, port: 7410 }) as LanStatus },
    clipboard: { read: async () => [], writeText: async (text: string) => void copied.push(text) },
    notify,
  };
  vi.spyOn(console, 'error').mockReturnValue();
  const links = (origin: string) => ({ url: `${origin}/i/k.png`, share_url: `${origin}/s/k`, thumbnail_url: `${origin}/t/k.png` });
  const image = (origin: string, visibility: 'public' | 'private' = 'public') =>
    ({ key: 'k', name: 'a.png', alt: '', max_views: 0, visibility, links: links(origin), reused: false }) as unknown as SentImage;
  const batch = { id: 'one', origin: 'chosen' as const, links: {}, late: false, failed: [] };
  const deliver = async (done: SentImage[], given: Partial<typeof options> = {}) => {
    await deliveryWith({ ...options, ...given } as Parameters<typeof deliveryWith>[0]).deliver({ ...batch, done });
    return notify.mock.lastCall?.[0];
  };

  const notice = await deliver([image('http://127.0.0.1:7410')]);
  expect(notice.body).toBe('a.png\nhttp://127.0.0.1:7410/i/k.png\nOnly this computer can open it');
  expect(notice.action.label).toBe('Share now');
  notice.action.run();
  await expect.poll(() => copied).toEqual(['http://127.0.0.1:7410/i/k.png', 'http://192.168.1.5:7410/i/k.png']);
  await expect
    .poll(() => notify.mock.lastCall?.[0])
    .toEqual({ title: 'Link copied again', body: 'http://192.168.1.5:7410/i/k.png\nAnyone on your network can open it' });

  share.mockRejectedValueOnce(new Reason('noNetworkToShare'));
  notice.action.run();
  await expect.poll(() => notify.mock.lastCall?.[0]).toMatchObject({ title: 'Couldn’t share the link', body: en.noNetworkToShare });

  const others = await Promise.resolve(deliver([image('http://pixdock.local:7410')]));
  expect(others).toMatchObject({ body: expect.stringContaining('Anyone on your network can open it') });
  expect(others.action).toBeUndefined();
  expect(await deliver([image('http://127.0.0.1:7410', 'private')])).toMatchObject({
    body: expect.stringContaining('Only you can open it'),
  });
  expect((await deliver([image('http://127.0.0.1:7410')], { lan: undefined })).action).toBeUndefined();
});

test.each([
  [false, 'opens at once'],
  [true, 'waits for a click on the notification'],
])('what is to be sent on, asked for by an earlier run: %s, %s', async (late) => {
  vi.spyOn(console, 'error').mockReturnValue();
  const [notify, openOnServer] = [vi.fn(), vi.fn()];
  const { deliver } = deliveryWith({ notify, openOnServer });
  const url = 'http://127.0.0.1:7410/i/k.png';
  const done = [{ key: 'k', name: 'a.png', links: { url, share_url: url } } as unknown as SentImage];
  await deliver({ id: 'one', origin: 'capture', links: { sendsOn: true, ...(late && { mark: 'earlier' }) }, late, done, failed: [] });
  expect(openOnServer.mock.calls).toEqual(late ? [] : [['/sent?send=k']]);
  if (late) notify.mock.lastCall?.[0].onClick();
  expect(openOnServer.mock.calls).toEqual([['/sent?send=k']]);
});

test('what a card shows isn’t notified of, and the card is told what became of the links', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const notify = vi.fn();
  const finish = vi.fn<(typeof NO_CARDS)['finish']>(async (result) => ({ ...result, done: [], failed: [] }));
  let hasFailed = false;
  const { deliver, tellOfFailure } = deliveryWith({
    clipboard: { read: async () => [], writeText: () => (hasFailed ? Promise.reject(new Error('taken')) : Promise.resolve()) },
    notify,
    cards: { finish, has: (id) => id === 'shown' },
    describe: ({ message }) => message,
  });
  const links = { url: 'http://pics.example.org/i/k.png', share_url: 'http://pics.example.org/s/k' };
  const done = [{ key: 'k', name: 'a.png', links }] as unknown as SentImage[];
  const failed = [{ id: 'shown', name: 'b.png', failure }];
  tellOfFailure({ id: 'shown', batchId: 'one', name: 'b.png', failure });
  for (const refuses of [false, true]) {
    hasFailed = refuses;
    await deliver({ id: 'one', origin: 'capture', links: {}, late: false, done, failed });
  }
  await deliver({ id: 'two', origin: 'capture', links: {}, late: false, done: [], failed });
  expect(finish.mock.calls.map(([, outcome]) => outcome)).toEqual([
    { onClipboard: 'links', hasFailed: false, links: links.url },
    { onClipboard: 'nothing', hasFailed: true, links: links.url },
    { onClipboard: 'nothing' },
  ]);
  expect(notify).not.toHaveBeenCalled();
});
