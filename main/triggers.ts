import { type BrowserWindow, clipboard, dialog } from 'electron';
import { clipboardSources } from './clipboard.ts';
import type { Notify } from './notifications.ts';
import { describe } from './reasons.ts';
import type { Texts } from './texts/en.ts';
import { type Captures, fileSource, type Source } from './uploader/sources.ts';
import type { Uploader } from './uploader/uploader.ts';

const EXTENSIONS = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tif', 'tiff'];

interface Options {
  uploader: Uploader;
  captures: Captures;
  notify: Notify;
  texts(): Texts;
  window(): BrowserWindow | undefined;
}

/** What a person starts an upload with, outside of any page. Each ends in queued pictures or in a visible reason. */
export function createTriggers({ uploader, captures, notify, texts, window }: Options) {
  /** Whatever goes wrong is told: a press that seems to do nothing is the worst answer. */
  async function orTell(choose: () => Promise<readonly Source[]>) {
    try {
      const sources = await choose();
      if (sources.length) uploader.upload(sources);
    } catch (error) {
      console.error('An upload could not be started:', error);
      notify({ title: texts().nothingTitle, body: describe(error, texts()), failure: true });
    }
  }

  async function chooseFiles() {
    const options: Electron.OpenDialogOptions = {
      title: texts().choosePictures,
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: texts().pictures, extensions: EXTENSIONS },
        { name: texts().allFiles, extensions: ['*'] },
      ],
    };
    const parent = window();
    const { filePaths } = await (parent?.isVisible() ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
    return filePaths.map(fileSource);
  }

  return {
    uploadClipboard: () => orTell(() => clipboardSources(clipboard, captures)),
    uploadFiles: () => orTell(chooseFiles),
  };
}
