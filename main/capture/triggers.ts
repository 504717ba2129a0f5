import type { BrowserWindow, Clipboard, OpenDialogOptions } from 'electron';
import type { Album } from '#api/albums/albums.ts';
import { findAlbum, isOfAnother, namesakes } from '#api/albums/find-album.ts';
import type { CaptureMode } from '#api/desktop/capture.ts';
import type { CaptureRequest, ClipboardRequest, ClipboardResponse } from '#api/desktop/handover.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import { ALL_EXTS, VIDEO_EXTS } from '#api/formats.ts';
import { albumFields } from '#api/images/album-fields.ts';
import type { TextLine } from '#api/images/text.ts';
import { describe, describeFailure, Reason } from '#main/base/reasons.ts';
import { askForPaths } from '#main/base/system/file-dialogs.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { DeliveryOptions, Origin } from '#main/journal/batches.ts';
import type { NewItem } from '#main/journal/item.ts';
import { type Account, addableAlbumsOf, takesVideos } from '#main/service/account.ts';
import { en, type Texts } from '#main/texts/en.ts';
import type { Arrivals } from '#main/uploader/arrivals.ts';
import { filesAmong } from '#main/uploader/given-files.ts';
import { fileItem, type SourceOptions, type Spool } from '#main/uploader/spool.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { clipboardItems, readClipboard } from './clipboard.ts';
import type { ClipboardWatch } from './clipboard-watch.ts';
import type { CaptureOptions, ScreenCapture } from './screen/capture.ts';
import type { ScreenPermission } from './screen/permission.ts';
import { createScreenText } from './screen-text.ts';

type Style = Pick<DeliveryOptions, 'format' | 'template'>;
/** Takes new pictures in. */
type Take<T> = (files: readonly NewItem[], origin: Origin, links: DeliveryOptions) => T;

interface Options {
  clipboard: Pick<Clipboard, 'read' | 'writeText'>;
  uploader: Uploader;
  arrivals: Arrivals;
  spool: Spool;
  screenCapture: Pick<ScreenCapture, 'take'>;
  screenPermission: Pick<ScreenPermission, 'explain'>;
  clipboardWatch: ClipboardWatch;
  account: Account;
  preferences(): Pick<Preferences, 'captureDelay'>;
  notify: Notify;
  texts(): Texts;
  window(): BrowserWindow | undefined;
  /** The text in a picture of this computer. */
  readText(path: string): Promise<TextLine[]>;
}

/** Ways to start an upload outside a page. Each ends in queued pictures or a visible reason. */
export function createTriggers(options: Options) {
  const {
    clipboard,
    uploader,
    arrivals,
    spool,
    screenCapture,
    screenPermission,
    clipboardWatch,
    account,
    preferences,
    notify,
    texts,
    window,
  } = options;

  /** Reports every failure: a trigger that seems to do nothing is the worst outcome. */
  function tell(error: unknown, title = texts().nothingTitle) {
    console.error('Couldn’t start an upload:', error);
    notify({ title, body: describe(error, texts()), failure: true });
  }

  /** The same for a capture; a missing permission is explained in a dialog, which leads to it. */
  function tellOfCapture(error: unknown) {
    if (!(error instanceof Reason) || error.text !== 'screenNotAllowed') return tell(error, texts().captureTitle);
    screenPermission.explain().catch((reason: unknown) => tell(reason, texts().captureTitle));
  }

  const mayBeVideos = () => takesVideos(account);

  async function chooseFiles() {
    const shown = (await mayBeVideos())
      ? { name: texts().picturesAndVideos, extensions: [...ALL_EXTS] }
      : { name: texts().pictures, extensions: ALL_EXTS.filter((ext) => !VIDEO_EXTS.includes(ext)) };
    const options: OpenDialogOptions = {
      title: texts().choosePictures,
      properties: ['openFile', 'multiSelections'],
      filters: [shown, { name: texts().allFiles, extensions: ['*'] }],
    };
    const parent = window();
    const paths = await askForPaths('pictures', parent?.isVisible() ? parent : undefined, options);
    return paths.map((path) => fileItem(path));
  }

  /** What the user chose for pictures of this trigger. */
  const asChosen =
    (trigger: 'capture' | 'clipboard', inverted: boolean): Take<unknown> =>
    (files, origin, links) =>
      arrivals.take(files, { trigger, origin, links, inverted });

  /** Takes the clipboard's content. The links replace it, but nothing that was copied since. */
  async function takeClipboard<T>(take: Take<T>, options?: SourceOptions, style: Style = {}) {
    const content = await readClipboard(clipboard);
    clipboardWatch.note(content);
    const files = await clipboardItems(content, spool, mayBeVideos, options);
    return take(files, 'clipboard', { ...style, mark: content.mark });
  }

  /** The same for a picture of the screen; undefined when the user cancelled. */
  async function takeCapture<T>(take: Take<T>, options?: CaptureOptions, style: Style = {}) {
    return clipboardWatch.without(async () => {
      const file = await screenCapture.take(options);
      if (!file) return undefined;
      // Some tools copy the picture, too: the link replaces that.
      const content = await readClipboard(clipboard).catch((error: unknown) => {
        console.error('Couldn’t read the clipboard, whose content the link replaces:', error);
        return undefined;
      });
      if (content) clipboardWatch.note(content);
      return take([file], 'capture', { ...style, mark: content?.mark });
    });
  }

  /** One's own albums by id or name, those of others by id or `owner/name`. */
  async function albumsCalled(names: readonly string[]): Promise<Album[]> {
    const albums = await addableAlbumsOf(account);
    return names.map((name) => {
      const album = findAlbum(albums, name);
      if (album) return album;
      const [namesake] = namesakes(albums, name);
      throw namesake === undefined ? new Reason('albumMissing') : new Reason('albumOfOther', { detail: namesake });
    });
  }

  /** Starts an upload with a request's options, and waits for the links. */
  async function asAsked(
    { linkFormat: format, linkTemplate: template, name, albums, fields, ...capture }: ClipboardRequest | CaptureRequest,
    takeFrom: typeof takeCapture,
  ) {
    const chosen = albums ? await albumsCalled(albums) : [];
    const notes = chosen.filter(isOfAnother).map((album) => en.othersAlbum(album.name, album.owner.username));
    const options = { ...capture, name, fields: { ...fields, ...albumFields(chosen.map(({ id }) => id)) } };
    const batch = await takeFrom((...given) => uploader.upload(...given), options, { format, template });
    if (!batch) return { ok: true as const, uploaded: [], failed: [], copied: false, cancelled: true };
    const { done, failed, copied } = await batch.delivered;
    const failures = failed.map(({ name, failure }) => ({ name, message: describeFailure(failure, en) }));
    return { ok: true as const, uploaded: done, failed: failures, copied, notes };
  }

  const refusal = (error: unknown): ClipboardResponse => ({ ok: false, message: describe(error, en) });

  return {
    /** `inverted`: with the key for what the user didn't choose. */
    uploadClipboard: async (inverted = false) => {
      await takeClipboard(asChosen('clipboard', inverted)).catch((error: unknown) => tell(error));
    },
    uploadFiles: async () => {
      await chooseFiles()
        .then((files) => files.length > 0 && uploader.upload(files, 'chosen'))
        .catch((error: unknown) => tell(error));
    },
    captureScreen: async (inverted = false, mode: CaptureMode = 'region') => {
      await takeCapture(asChosen('capture', inverted), { mode, delay: preferences().captureDelay }).catch(tellOfCapture);
    },
    /** Copies the text in a part of the screen. */
    copyScreenText: createScreenText({ ...options, onFailure: tellOfCapture }),
    /** Files given to the app, and the pictures in folders, by absolute path. */
    uploadPaths: async (paths: readonly string[], origin: 'chosen' | 'dropped' = 'chosen') => {
      try {
        const files = await filesAmong(paths, mayBeVideos);
        if (files.length === 0) throw new Reason('noPicturesGiven');
        uploader.upload(
          files.map((path) => fileItem(path)),
          origin,
        );
      } catch (error) {
        tell(error);
      }
    },
    /** The same triggers from another program of this user, which waits for the links. */
    uploadClipboardFor: (request: ClipboardRequest): Promise<ClipboardResponse> =>
      asAsked(request, takeClipboard).catch((error: unknown) => {
        tell(error);
        return refusal(error);
      }),
    captureScreenFor: (request: CaptureRequest): Promise<ClipboardResponse> =>
      asAsked(request, takeCapture).catch((error: unknown) => {
        tellOfCapture(error);
        return refusal(error);
      }),
  };
}
