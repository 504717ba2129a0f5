import type { ClipboardItem as ElectronItem } from 'electron';
import { expect, test } from 'vitest';
import { screenClip } from '#main/capture/screen/screen-clip.ts';
import { systemItem } from '#test/desktop/double/system/clipboard.ts';
import { FakeClock } from '../../fake-clock.ts';

/** The clipboard's contents at each reading; the last one stays. */
function clipboardWith(...contents: Record<string, string | Blob>[]) {
  let reading = 0;
  return { read: async () => [systemItem(contents[Math.min(reading++, contents.length - 1)] ?? {})] };
}
const png = (bytes: string) => ({ 'image/png': new Blob([bytes]) });

function tool(clipboard: Parameters<typeof screenClip>[0]['clipboard'], clock = new FakeClock(), mode?: 'Window') {
  const opened: string[] = [];
  let waited = 0;
  const clip = screenClip({
    clipboard,
    ...(mode && { mode }),
    open: async (address) => void opened.push(address),
    wait: async (milliseconds) => {
      waited += milliseconds;
      clock.pass(milliseconds);
    },
    clock,
  });
  return { clip, opened, waited: () => waited };
}

test('takes the first new picture on the clipboard', async () => {
  const { clip, opened } = tool(clipboardWith(png('old'), png('old'), {}, { 'text/plain': 'words' }, png('new')));
  expect(await clip.capture('')).toEqual({ kind: 'bytes', bytes: new TextEncoder().encode('new'), ext: 'png' });
  expect(opened).toEqual(['ms-screenclip:']);
});

test('has the user choose a window', async () => {
  const { clip, opened } = tool(clipboardWith({}, png('window')), new FakeClock(), 'Window');
  expect(await clip.capture('')).toMatchObject({ kind: 'bytes' });
  expect(opened).toEqual(['ms-screenclip:?clippingMode=Window']);
});

test('counts as cancelled after a minute without a new picture', async () => {
  const { clip, waited } = tool(clipboardWith(png('old')));
  expect(await clip.capture('')).toBeUndefined();
  expect(waited()).toBe(60_000);
});

test('doesn’t spend its time on reading an old picture again and again', async () => {
  const clock = new FakeClock();
  let readings = 0;
  const getType = async () => {
    readings += 1;
    clock.pass(400);
    return new Blob(['old']);
  };
  const { clip } = tool({ read: async () => [{ types: ['image/png'], getType } as unknown as ElectronItem] }, clock);
  expect(await clip.capture('')).toBeUndefined();
  expect(readings).toBeLessThanOrEqual(60);
});
