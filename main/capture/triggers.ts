import { type BrowserWindow, type Clipboard, dialog } from 'electron';
import { createClient } from '#api/client.ts';
import { allAlbums, findAlbum } from '#api/find-album.ts';
import type { ClipboardAnswer, ClipboardRequest } from '#api/handover.ts';
import type { LinkFormat } from '#api/link-formats.ts';
import type { Notify } from '#main/base/notifications.ts';
import { describe, Reason } from '#main/base/reasons.ts';
import { asOwner, type OwnerSession } from '#main/service/owner-session.ts';
import { en, type Texts } from '#main/texts/en.ts';
import { type Captures, fileSource, type Wishes } from '#main/uploader/sources.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { clipboardMark, clipboardSources } from './clipboard.ts';

const EXTENSIONS = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tif', 'tiff', 'svg'];

interface Options {
  clipboard: Pick<Clipboard, 'read'>;
  uploader: Uploader;
  captures: Captures;
  owner: OwnerSession;
  notify: Notify;
  texts(): Texts;
  window(): BrowserWindow | undefined;
}

/** What a person starts an upload with, outside of any page. Each ends in queued pictures or in a visible reason. */
export function createTriggers({ clipboard, uploader, captures, owner, notify, texts, window }: Options) {
  /** Whatever goes wrong is told: a press that seems to do nothing is the worst answer. */
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
    return filePaths.map((path) => fileSource(path));
  }

  /** The links replace what was uploaded, and nothing that was copied since. */
  async function uploadClipboard(wishes?: Wishes, format?: LinkFormat) {
    // First, so that what is copied between the two readings counts as newer.
    const mark = await clipboardMark(clipboard);
    const sources = await clipboardSources(clipboard, captures, wishes);
    return uploader.upload(sources, { format, mayReplace: () => isStill(mark) });
  }

  /** A clipboard that does not say what it holds (Wayland, in the background) has just been asked for: it is taken to be the same. */
  async function isStill(mark: string) {
    try {
      return (await clipboardMark(clipboard)) === mark;
    } catch (error) {
      console.error('The clipboard was not read again:', error);
      return true;
    }
  }

  async function albumId(idOrName: string) {
    const albums = await asOwner(owner, ({ url, cookie }) => allAlbums(createClient({ baseUrl: url }), { headers: { cookie } }));
    const id = findAlbum(albums, idOrName);
    if (id === undefined) throw new Reason('albumMissing');
    return id;
  }

  async function uploadAsAsked({ linkFormat, name, album, fields }: ClipboardRequest): Promise<ClipboardAnswer> {
    const wishes = { name, fields: album === undefined ? fields : { ...fields, album_id: await albumId(album) } };
    const { done, failed, copied } = await (await uploadClipboard(wishes, linkFormat)).delivered;
    return { ok: true, uploaded: done, failed: failed.map(({ name, error }) => ({ name, message: describe(error, en) })), copied };
  }

  return {
    uploadClipboard: async () => {
      await uploadClipboard().catch(tell);
    },
    uploadFiles: async () => {
      await chooseFiles().then((sources) => sources.length > 0 && uploader.upload(sources), tell);
    },
    /** The same press, made by another program of this person, which waits for the links. */
    uploadClipboardFor: (request: ClipboardRequest): Promise<ClipboardAnswer> =>
      uploadAsAsked(request).catch((error: unknown) => {
        tell(error);
        return { ok: false, message: describe(error, en) };
      }),
  };
}
