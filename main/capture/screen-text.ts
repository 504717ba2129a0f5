import type { Clipboard } from 'electron';
import type { TextLine } from '#api/images/text.ts';
import { cutText } from '#api/plain-text.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Spool } from '#main/uploader/spool.ts';
import type { ClipboardWatch } from './clipboard-watch.ts';
import type { ScreenCapture } from './screen/capture.ts';

/** Characters of the text that a notification shows. */
const MAX_SHOWN = 200;

interface Options {
  screenCapture: Pick<ScreenCapture, 'take'>;
  clipboardWatch: Pick<ClipboardWatch, 'without'>;
  clipboard: Pick<Clipboard, 'writeText'>;
  spool: Pick<Spool, 'remove'>;
  readText(path: string): Promise<TextLine[]>;
  notify: Notify;
  texts(): Texts;
  /** Reports why the screen couldn't be captured. */
  onFailure(error: unknown): void;
}

/** Copies the text in a part of the screen that the user selects. Nothing is uploaded, and the picture isn't kept. */
export function createScreenText(options: Options): () => Promise<void> {
  const { screenCapture, clipboardWatch, clipboard, spool, readText, notify, texts, onFailure } = options;

  async function copyText() {
    const file = await screenCapture.take();
    if (!file) return;
    try {
      const lines = await readText(file.path);
      const text = lines.map((line) => line.text).join('\n');
      if (text === '') return notify({ title: texts().noScreenText, body: texts().noScreenTextHint, failure: true });
      await clipboard.writeText(text);
      notify({ title: texts().screenTextCopied, body: cutText(text, MAX_SHOWN) });
    } finally {
      await spool.remove(file.path);
    }
  }

  return () => clipboardWatch.without(copyText).catch(onFailure);
}
