import { expect, test, vi } from 'vitest';
import type { SentImage } from '#main/journal/item.ts';
import { en } from '#main/texts/en.ts';
import { createFolderNotices } from '#main/watcher/notices.ts';
import { FakeClock } from '../fake-clock.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

test('one notification for many files from watch folders, with their names and what is wrong with them', () => {
  const clock = new FakeClock();
  const notify = vi.fn();
  const tell = createFolderNotices({ clock, texts: () => en, notify, describe: ({ message }) => message, open: () => undefined });
  const batch = { origin: 'folder' as const, links: undefined, late: false };
  const image = (name: string) => ({ name }) as SentImage;
  tell({ ...batch, done: [image('a.png'), image('b.png')], failed: [] });
  tell({ ...batch, done: [], failed: [{ name: 'c.png', failure: { kind: 'other', code: '', message: 'It is damaged.' } }] });
  clock.pass(5_000);
  expect(notify.mock.calls.map(([{ title, body }]) => [title, body])).toEqual([
    ['Couldn’t upload a picture', 'c.png: It is damaged.\nFrom your watch folders.'],
    ['2 pictures uploaded', 'a.png\nb.png\nFrom your watch folders.'],
  ]);
});
