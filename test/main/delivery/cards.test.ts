import type { NativeImage } from 'electron';
import { expect, test, vi } from 'vitest';
import type { CallOutput } from '#api/desktop/calls.ts';
import type { CardAction } from '#api/desktop/cards.ts';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import type { Card } from '#main/delivery/card-state.ts';
import { createCards } from '#main/delivery/cards.ts';
import type { Handlers } from '#main/ipc.ts';
import type { Origin } from '#main/journal/batches.ts';
import type { Item, SentImage } from '#main/journal/item.ts';
import { en } from '#main/texts/en.ts';
import type { Added, Ended } from '#main/uploader/uploader.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const icon = {} as NativeImage;
const url = 'http://127.0.0.1:7410';
const imageOf = (key: string) =>
  ({ key, name: `${key}.png`, visibility: 'public', links: { url: `${url}/i/${key}.png`, share_url: `${url}/s/${key}` } }) as SentImage;
const failure = { kind: 'other' as const, code: '', message: 'It is damaged.' };

/** Cards whose windows, uploads and files are played. */
function setup(change: Partial<Preferences> = {}, { canFloat = true, isSeen = true } = {}) {
  const clock = new FakeClock();
  const preferences = { ...DEFAULT_PREFERENCES, ...change };
  const calls = {} as Handlers;
  const room = new Map<string, number>();
  const removed: string[] = [];
  const run = vi.fn(async (_card: Card, _action: CardAction) => undefined);
  let tellAdded: (added: Added) => void = () => undefined;
  let tellEnded: (ended: Ended) => void = () => undefined;
  let tellClosed: (display: string) => void = () => undefined;
  let display = '1';
  const windows = {
    display: () => display,
    resize: async (on: string, count: number) => {
      room.set(on, count);
      return isSeen;
    },
    focus: vi.fn(),
    hide: vi.fn(() => room.size > 0),
    reveal: vi.fn(),
    startDrag: vi.fn(),
    onClosed(listener: (closed: string) => void) {
      tellClosed = listener;
    },
  };
  const cards = createCards({
    ipc: { tell: () => undefined, handle: (handlers) => void Object.assign(calls, handlers) },
    clock,
    windows,
    keepFile: ({ name }) => ({
      path: name,
      picture: Promise.resolve(null),
      icon: async () => icon,
      keep: () => undefined,
      remove: () => removed.push(name),
    }),
    preferences: { get: () => preferences, onChange: () => undefined },
    texts: () => en,
    describe: ({ message }) => message,
    canFloat,
  });
  const itemOf = (id: string, more: Partial<Item> = {}) => ({ id, name: `${id}.png`, batchId: `of ${id}`, state: 'done', ...more }) as Item;
  cards.follow({
    uploader: {
      onAdded(listener) {
        tellAdded = listener;
      },
      onEnded(listener) {
        tellEnded = listener;
      },
      onChange: () => () => undefined,
      progress: () => undefined,
      waitsFor: () => undefined,
    },
    find: (id) => itemOf(id),
    actions: { offered: () => ['open', 'copyLink'], run, thumbnail: async () => undefined },
  });
  const add = (id: string, origin: Origin = 'capture') => tellAdded({ ids: [id], batchId: `of ${id}`, origin });
  const end = (id: string, more: Partial<Item> = {}) => {
    const image = more.failure ? undefined : imageOf(id);
    tellEnded({ item: itemOf(id, more), image, isLast: true });
    return image;
  };
  /** Uploads a picture; resolves to the names of what no card shows. */
  async function upload(id: string, more: Partial<Item> = {}) {
    const image = end(id, more);
    const failed = more.failure ? [{ id, name: `${id}.png`, failure: more.failure }] : [];
    const result = {
      id: more.batchId ?? `of ${id}`,
      origin: 'capture' as const,
      links: {},
      late: false,
      done: image ? [image] : [],
      failed,
    };
    const rest = await cards.finish(result, { onClipboard: 'links' });
    return [...rest.done, ...rest.failed].map(({ name }) => name);
  }
  const state = async (on = '1') => (await calls.getCards(on)) as CallOutput<'getCards'>;
  const shown = async (on = '1') => (await state(on)).cards.map(({ name, title }) => `${name}: ${title}`);
  const press = async (index: number, action: CardAction) => calls.actOnCard((await state()).cards[index]?.id ?? '', action);
  const isOn = (next: string) => {
    display = next;
  };
  return {
    cards,
    calls,
    clock,
    windows,
    room,
    removed,
    run,
    add,
    end,
    upload,
    state,
    shown,
    press,
    isOn,
    close: (on: string) => tellClosed(on),
  };
}

test('a capture has a card from its upload on, which goes some seconds after that, with its file', async () => {
  const { clock, room, removed, add, upload, shown } = setup();
  add('a');
  expect(await shown()).toEqual(['a.png: Uploading 1 picture…']);
  clock.pass(60_000);
  expect(await upload('a')).toEqual([]);
  expect(await shown()).toEqual(['a.png: Link copied']);
  clock.pass(9_999);
  expect([await shown(), removed]).toEqual([['a.png: Link copied'], []]);
  clock.pass(1);
  expect([await shown(), removed, room.get('1')]).toEqual([[], ['a.png'], 0]);
});

test.each<[string, Partial<Preferences>, Origin, boolean]>([
  ['captures by default', {}, 'capture', true],
  ['other uploads not by default', {}, 'chosen', false],
  ['other uploads as chosen', { uploadCards: true, captureCards: false }, 'clipboard', true],
  ['captures as chosen', { uploadCards: true, captureCards: false }, 'capture', false],
  ['editors never', { uploadCards: true }, 'editor', false],
])('%s', async (_what, change, origin, has) => {
  const { add, upload, shown } = setup(change);
  add('a', origin);
  expect((await shown()).length > 0).toBe(has);
  // Either the card or the notification.
  expect(await upload('a')).toEqual(has ? [] : ['a.png']);
});

test.each([
  ['no places for windows', { canFloat: false }],
  ['windows that are never seen', { isSeen: false }],
])('with %s, there are none, and notifications do the same', async (_what, system) => {
  const { add, upload, shown, cards } = setup({}, system);
  add('a');
  expect(await upload('a')).toEqual(['a.png']);
  add('b');
  expect([await shown(), cards.count()]).toEqual([[], 0]);
});

test('stays while it is looked at, on its display only, and for as long as the user wants', async () => {
  const { clock, calls, add, upload, shown, isOn } = setup();
  add('a');
  await upload('a');
  isOn('2');
  add('b');
  await upload('b');
  calls.holdCards('1', true);
  clock.pass(60_000);
  expect([await shown('1'), await shown('2')]).toEqual([['a.png: Link copied'], []]);
  calls.holdCards('1', false);
  clock.pass(10_000);
  expect(await shown('1')).toEqual([]);

  // The window has gone with its last card, and with it the pointer that was on it.
  add('c');
  await upload('c');
  calls.holdCards('2', true);
  await calls.actOnCard((await calls.getCards('2')).cards[0]?.id ?? '', 'close');
  add('d');
  await upload('d');
  clock.pass(10_000);
  expect(await shown('2')).toEqual([]);

  const forever = setup({ cardSeconds: 0 });
  forever.add('a');
  await forever.upload('a');
  forever.clock.pass(1e9);
  expect(await forever.shown()).toEqual(['a.png: Link copied']);
});

test('several stack, the newest first; of too many, the oldest that is done goes', async () => {
  const { room, add, upload, shown, cards } = setup();
  for (const id of ['a', 'b', 'c', 'd']) add(id);
  await upload('b');
  add('e');
  expect((await shown()).map((text) => text[0])).toEqual(['e', 'd', 'c', 'a']);
  expect(room.get('1')).toBe(4);
  add('f'); // all of them still run
  expect(cards.has('a')).toBe(false);
  expect(await upload('a')).toEqual(['a.png']);
});

test('a failure stays, with its reason and “Try again”, which shows the progress on the same card', async () => {
  const { clock, run, add, upload, end, state, press } = setup();
  add('a');
  expect(await upload('a', { state: 'failed', failure })).toEqual([]);
  clock.pass(1e9);
  const [card] = (await state()).cards;
  expect(card).toMatchObject({ state: 'failed', title: 'Couldn’t upload a picture', detail: 'It is damaged.' });
  expect(card?.actions[0]).toEqual({ name: 'retry', label: 'Try again' });
  await press(0, 'retry');
  expect(run).toHaveBeenCalledWith(expect.objectContaining({ name: 'a.png' }), 'retry');
  add('a', 'retried');
  expect((await state()).cards).toMatchObject([{ state: 'uploading' }]);
  end('a');
  await upload('a');
  expect((await state()).cards).toMatchObject([{ state: 'done', title: 'Link copied' }]);
});

test('the user is notified of the result if the card was closed before it came', async () => {
  const { add, upload, press, end, cards } = setup();
  add('a');
  await press(0, 'close');
  expect(await upload('a')).toEqual(['a.png']);
  add('b');
  end('b', { state: 'discarded' });
  expect(cards.count()).toBe(0);
});

test('what is copied on the card is what it says, and an action that fails leaves it as it is', async () => {
  const { run, add, upload, shown, press } = setup();
  add('a');
  await upload('a');
  await press(0, 'copyPicture');
  expect(await shown()).toEqual(['a.png: Picture copied']);
  run.mockRejectedValueOnce(new Error('no clipboard'));
  await expect(press(0, 'copyLink')).rejects.toThrow('no clipboard');
  expect(await shown()).toEqual(['a.png: Picture copied']);
  run.mockRejectedValueOnce(new Error('offline'));
  await expect(press(0, 'delete')).rejects.toThrow('offline');
  await press(0, 'delete');
  expect(await shown()).toEqual([]);
});

test('links that only this computer can open are shared from the card', async () => {
  const { cards, add, end, state, press } = setup();
  add('a');
  const done = [end('a') as SentImage];
  const share = async () => ({ shared: 'http://desk.local:7410/i/a.png', address: 'http://desk.local:7410' });
  await cards.finish({ id: 'of a', origin: 'capture', links: {}, late: false, done, failed: [] }, { onClipboard: 'links', share });
  expect((await state()).cards[0]).toMatchObject({
    detail: 'Only this computer can open it',
    actions: [{ label: 'Share now' }, {}, {}, {}],
  });
  await press(0, 'share');
  expect((await state()).cards[0]).toMatchObject({ title: 'Link copied again', detail: 'Anyone on your network can open it' });
});

test('all files of watch folders are on one card, which shows the latest', async () => {
  const { upload, shown, removed } = setup({ folderCards: true });
  const folder = { id: 'f', relPath: 'x' };
  for (const id of ['a', 'b']) expect(await upload(id, { folder })).toEqual([]);
  expect([await shown(), removed]).toEqual([['b.png: 2 links copied'], ['a.png']]);
  const off = setup();
  expect(await off.upload('a', { folder })).toEqual(['a.png']);
});

test('cards are hidden before a capture begins, and their time stands still until it is over', async () => {
  const { cards, clock, windows, add, upload, shown } = setup();
  add('a');
  await upload('a');
  const capture = Promise.withResolvers<string>();
  const taken = vi.fn(() => capture.promise);
  const result = cards.aside(taken);
  expect([windows.hide.mock.calls.length, taken.mock.calls.length]).toEqual([1, 0]);
  clock.pass(200); // until the screen has been drawn again
  await Promise.resolve();
  expect(taken).toHaveBeenCalled();
  clock.pass(60_000);
  expect([await shown(), windows.reveal.mock.calls.length]).toEqual([['a.png: Link copied'], 0]);
  capture.reject(new Error('cancelled'));
  await expect(result).rejects.toThrow('cancelled');
  expect(windows.reveal).toHaveBeenCalledOnce();
  clock.pass(10_000);
  expect(await shown()).toEqual([]);
});

test('the file of a card is dragged out of its window, and one that is gone is reported', async () => {
  const { calls, windows, add, state } = setup();
  add('a');
  const id = (await state()).cards[0]?.id ?? '';
  await calls.dragCard(id);
  expect(windows.startDrag).toHaveBeenCalledWith('1', 'a.png', icon);
  await expect(Promise.resolve(calls.dragCard('another'))).rejects.toMatchObject({ text: 'fileMissing' });
});

test('the focus goes to the newest, and a window that is closed takes its cards with it', async () => {
  const { cards, windows, removed, add, isOn, close } = setup();
  cards.focus();
  expect(windows.focus).not.toHaveBeenCalled();
  add('a');
  isOn('2');
  add('b');
  cards.focus();
  expect(windows.focus).toHaveBeenCalledWith('2');
  close('2');
  cards.focus();
  expect([windows.focus.mock.lastCall, removed, cards.count()]).toEqual([['1'], ['b.png'], 1]);
});
