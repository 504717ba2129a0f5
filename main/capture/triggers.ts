import { type BrowserWindow, type Clipboard, dialog } from 'electron';
import { createClient } from '#api/client.ts';
import { allAlbums, findAlbum } from '#api/find-album.ts';
import type { ClipboardAnswer, ClipboardRequest } from '#api/handover.ts';
import { describeFailure } from '#main/base/failure.ts';
import type { Notify } from '#main/base/notifications.ts';
import { describe, Reason } from '#main/base/reasons.ts';
import type { DeliveryOptions } from '#main/journal/batches.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import { en, type Texts } from '#main/texts/en.ts';
import { fileItem, type SourceOptions, type Spool } from '#main/uploader/spool.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { clipboardItems, readClipboard } from './clipboard.ts';

const EXTENSIONS = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tif', 'tiff', 'svg'];

interface Options {
  clipboard: Pick<Clipboard, 'read'>;
  uploader: Uploader;
  spool: Spool;
  account: Account;
  notify: Notify;
  texts(): Texts;
  window(): BrowserWindow | undefined;
}

/** Ways to start an upload outside a page. Each ends in queued pictures or a visible reason. */
export function createTriggers({ clipboard, uploader, spool, account, notify, texts, window }: Options) {
  /** Reports every failure: a trigger that seems to do nothing is the worst outcome. */
  function tell(error: unknown) {
    console.error('An upload could not be started:', error);
    notify({ title: texts().nothingTitle, body: describe(error, texts()), failure: true });
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
    return filePaths.map((path) => fileItem(path));
  }

  /** The links replace the uploaded content, but nothing that was copied since. */
  async function uploadClipboard(options?: SourceOptions, style: Pick<DeliveryOptions, 'format' | 'template'> = {}) {
    const content = await readClipboard(clipboard);
    const files = await clipboardItems(content, spool, options);
    return uploader.upload(files, 'clipboard', { ...style, mark: content.mark });
  }

  async function albumId(idOrName: string) {
    const albums = await asAccount(account, ({ url, headers }) => allAlbums(createClient({ baseUrl: url }), { headers }));
    const id = findAlbum(albums, idOrName);
    if (id === undefined) throw new Reason('albumMissing');
    return id;
  }

  async function uploadAsAsked({
    linkFormat: format,
    linkTemplate: template,
    name,
    album,
    fields,
  }: ClipboardRequest): Promise<ClipboardAnswer> {
    const options = { name, fields: album === undefined ? fields : { ...fields, album_id: await albumId(album) } };
    const { done, failed, copied } = await (await uploadClipboard(options, { format, template })).delivered;
    const failures = failed.map(({ name, failure }) => ({ name, message: describeFailure(failure, en) }));
    return { ok: true, uploaded: done, failed: failures, copied };
  }

  return {
    uploadClipboard: async () => {
      await uploadClipboard().catch(tell);
    },
    uploadFiles: async () => {
      await chooseFiles().then((files) => files.length > 0 && uploader.upload(files, 'chosen'), tell);
    },
    /** The same trigger from another program of this user, which waits for the links. */
    uploadClipboardFor: (request: ClipboardRequest): Promise<ClipboardAnswer> =>
      uploadAsAsked(request).catch((error: unknown) => {
        tell(error);
        return { ok: false, message: describe(error, en) };
      }),
  };
}
