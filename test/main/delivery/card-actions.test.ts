import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { cardActions } from '#main/delivery/card-actions.ts';
import { createCardFiles } from '#main/delivery/card-files.ts';
import type { Card } from '#main/delivery/card-state.ts';
import type { SentImage } from '#main/journal/item.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const links = {
  url: 'http://pics.example.org/i/k.png',
  share_url: 'http://pics.example.org/s/k',
  delete_url: 'http://pics.example.org/delete/k/s3cret',
};
const image = (more: Partial<SentImage> = {}) => ({ key: 'k', name: 'a.png', reused: false, links, ...more }) as SentImage;
const card = (images: readonly (SentImage | undefined)[], more: Partial<Card> = {}): Card => ({
  ...{ id: 'c', display: '1', trigger: 'captures', batches: new Set(), name: 'a.png', hasPicture: true, outcome: undefined },
  uploads: new Map(images.map((each, index) => [String(index), each && { image: each }])),
  file: { path: 'gone.png', picture: Promise.resolve(null), icon: async () => undefined, keep: () => undefined, remove: () => undefined },
  seen: Promise.resolve(true),
  ...more,
});

function actionsWith(more: Partial<Parameters<typeof cardActions>[0]> = {}) {
  return cardActions({
    preferences: () => DEFAULT_PREFERENCES,
    copy: async () => true,
    copyPicture: async () => undefined,
    uploader: { keep: () => [], change: () => undefined },
    arrivals: { announce: () => undefined },
    spool: { keep: async () => ({ path: '', name: '', spooled: true }) },
    pins: { pin: () => undefined },
    account: { access: async () => ({ url: 'http://127.0.0.1:1', headers: {} }) },
    sendTo: () => undefined,
    onDeleted: () => undefined,
    ...more,
  });
}

const LOCAL = ['copyPicture', 'edit', 'pin'];
test.each<[string, Card, string[]]>([
  ['a picture', card([image()]), ['open', 'copyLink', ...LOCAL, 'sendTo', 'delete']],
  ['one that is still uploaded', card([undefined]), LOCAL],
  ['one that the app can’t decode', card([image()], { hasPicture: false }), ['open', 'copyLink', 'sendTo', 'delete']],
  ['several', card([image(), image()]), ['open', 'copyLink']],
  // It was there before: this upload hasn't brought it.
  ['one that the server had already', card([image({ reused: true })]), ['open', 'copyLink', ...LOCAL, 'sendTo']],
  [
    'one without a link for deletion',
    card([image({ links: { ...links, delete_url: undefined } as never })]),
    ['open', 'copyLink', ...LOCAL, 'sendTo'],
  ],
])('what is offered: %s', (_what, given, offered) => {
  expect(actionsWith().offered(given)).toEqual(offered);
});

test('sending names the picture', async () => {
  const sendTo = vi.fn();
  const actions = actionsWith({ sendTo });
  await actions.run(card([image()]), 'sendTo');
  expect(sendTo).toHaveBeenCalledWith('k');
});

test('errors are sentences: of a clipboard that takes nothing, and of a file that is gone', async () => {
  const actions = actionsWith({ copy: async () => false });
  await expect(actions.run(card([image()]), 'copyLink')).rejects.toMatchObject({ text: 'copyFailed' });
  for (const action of ['copyPicture', 'edit', 'pin'] as const)
    await expect(actions.run(card([image()]), action)).rejects.toMatchObject({ text: 'fileMissing' });
});

test('deletes with the link that only this upload has, also on another server, and forgets the upload', async () => {
  const asked: string[] = [];
  await using server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: true, message: '', data: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [change, onDeleted] = [vi.fn(), vi.fn()];
  const account = { access: async () => ({ url, headers: {} }) };
  await actionsWith({ account, onDeleted, uploader: { keep: () => [], change } }).run(card([image()]), 'delete');
  expect(asked).toEqual(['POST /api/v1/delete/k/s3cret']);
  expect([change.mock.calls, onDeleted.mock.calls]).toEqual([[['forget', ['0']]], [['k']]]);
});

test('the file of a card outlives the upload, goes with the card, and stays once it was dragged out', () => {
  const folder = temporaryFolder();
  const spooled = join(folder, 'spooled.png');
  const keep = createCardFiles(join(folder, 'cards'), '');
  writeFileSync(spooled, 'picture');
  const [closed, dragged] = ['one', 'two'].map((id) => keep({ path: spooled, name: 'shot: 1.png', spooled: true }, id));
  rmSync(spooled);
  expect(readFileSync(closed?.path ?? '', 'utf8')).toBe('picture');
  expect(closed?.path).toMatch(/shot_ 1\.png$/);
  closed?.remove();
  dragged?.keep();
  dragged?.remove();
  expect([existsSync(closed?.path ?? ''), existsSync(dragged?.path ?? '')]).toEqual([false, true]);
  createCardFiles(join(folder, 'cards'), '');
  expect(existsSync(dragged?.path ?? '')).toBe(false);
  // The user's own file is left alone.
  writeFileSync(spooled, 'picture');
  const own = keep({ path: spooled, name: 'mine.png', spooled: false }, 'three');
  own.remove();
  expect([own.path, existsSync(spooled)]).toEqual([spooled, true]);
});
