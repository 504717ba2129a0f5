import { beforeEach, expect, test, vi } from 'vitest';
import { createScreenText } from '#main/capture/screen-text.ts';
import { en } from '#main/texts/en.ts';

const take = vi.fn();
const readText = vi.fn();
const writeText = vi.fn(async () => undefined);
const remove = vi.fn(async () => undefined);
const notify = vi.fn();
const onFailure = vi.fn();

const copyScreenText = createScreenText({
  screenCapture: { take },
  clipboardWatch: { without: (work) => work() },
  clipboard: { writeText },
  spool: { remove },
  readText,
  notify,
  texts: () => en,
  onFailure,
});

const line = (text: string) => ({ text, box: [0, 0, 1, 1] as [number, number, number, number] });

beforeEach(() => {
  vi.clearAllMocks();
  take.mockResolvedValue({ path: '/spool/a.png', name: 'a.png', spooled: true });
});

test('copies the lines of the selected part, and keeps no picture of it', async () => {
  readText.mockResolvedValue([line('Door code'), line('4711')]);
  await copyScreenText();
  expect(readText).toHaveBeenCalledExactlyOnceWith('/spool/a.png');
  expect(writeText).toHaveBeenCalledExactlyOnceWith('Door code\n4711');
  expect(remove).toHaveBeenCalledExactlyOnceWith('/spool/a.png');
  expect(notify).toHaveBeenCalledExactlyOnceWith({ title: 'Text copied', body: 'Door code\n4711' });
});

test('leaves the clipboard alone where there is no text, and says so', async () => {
  readText.mockResolvedValue([]);
  await copyScreenText();
  expect(writeText).not.toHaveBeenCalled();
  expect(notify).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: 'No text found', failure: true }));
  expect(remove).toHaveBeenCalledOnce();
});

test('reports why the text couldn’t be read, and still removes the picture', async () => {
  const error = new Error('The service is not running.');
  readText.mockRejectedValue(error);
  await copyScreenText();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(error);
  expect(remove).toHaveBeenCalledOnce();
});

test('does nothing when the capture is cancelled', async () => {
  take.mockResolvedValue(undefined);
  await copyScreenText();
  for (const effect of [readText, writeText, remove, notify, onFailure]) expect(effect).not.toHaveBeenCalled();
});
