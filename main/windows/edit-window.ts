import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserWindow, screen } from 'electron';
import type { Preferences } from '#api/desktop/preferences.ts';
import { fileNameOf } from '#api/file-name.ts';
import { isVideoName } from '#api/formats.ts';
import type { TextLine } from '#api/images/text.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { describe, Reason } from '#main/base/reasons.ts';
import { askWhereToSave } from '#main/base/system/file-dialogs.ts';
import { messageBox } from '#main/base/system/message-box.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import { uprightImage } from '#main/base/upright-image.ts';
import type { Ipc, PageKind } from '#main/ipc.ts';
import type { Item } from '#main/journal/item.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Arrivals } from '#main/uploader/arrivals.ts';
import { readingFailure } from '#main/uploader/send.ts';
import type { Spool } from '#main/uploader/spool.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { openFile } from '#transfer/open-file.ts';
import { handleDraftVideos, renamed } from './draft-video.ts';
import { bringToFront, openPage, openWindow, putAway, whenPresentable, yieldFocus } from './open-window.ts';
import { isPackagedPage } from './pages.ts';
import { windowPlace } from './window-place.ts';

/** Device-independent pixels. */
const SIZE = { width: 1080, height: 720 };
const MIN_SIZE = { minWidth: 360, minHeight: 400 };
/** Pixels. */
const THUMBNAIL_HEIGHT = 120;
/** The height of the picture that a question is about. */
const QUESTION_SIZE = 96;

interface Options {
  ipc: Ipc;
  paths: Pick<AppPaths, 'preload' | 'editPage' | 'icon'>;
  preferences: PreferenceStore;
  texts(): Texts;
  uploader: Uploader;
  arrivals: Arrivals;
  spool: Spool;
  copyPicture(png: Uint8Array): Promise<void>;
  /** Whether windows can stay on top. */
  canPin: boolean;
  /** The text in a picture of this computer; undefined where no service runs here that recognises it. */
  readText: ((path: string) => Promise<TextLine[]>) | undefined;
  /** Where the user waits for the first page, which this window mustn't delay. */
  mainWindow: BrowserWindow | undefined;
  notify: Notify;
  /** Shows a page of the app. */
  showPage(page: string): void;
  /** True once the app is quitting. Drafts wait for the next start. */
  quitting(): boolean;
}

/**
 * The window in which drafts are edited, one after the other. It is kept, hidden, so that the next one opens at once: from the start if new
 * pictures may become drafts. Whatever happens to it, the journal has the drafts and their marks.
 */
export function setupEditWindow(options: Options): void {
  const {
    ipc,
    paths,
    preferences,
    texts,
    uploader,
    arrivals,
    spool,
    copyPicture,
    canPin,
    readText,
    mainWindow,
    notify,
    showPage,
    quitting,
  } = options;
  let window: BrowserWindow | undefined;
  let isPresentable = false;
  let hasExplained = false;
  /** Drafts to edit, the one that is shown last. */
  let waiting: string[] = [];
  const pageKind = (url: string): PageKind => (isPackagedPage(url, paths.editPage) ? 'edit' : null);

  function create() {
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
    const place = windowPlace(preferences.windowState('edit'), screens, SIZE);
    const created = openWindow({ paths, pageKind, texts, ...place, ...MIN_SIZE, title: texts().editCapture });
    isPresentable = false;
    whenPresentable(created, () => {
      isPresentable = true;
      if (waiting.length > 0) bringToFront(created);
    });
    created.on('close', (event) => {
      preferences.rememberWindow({ ...created.getNormalBounds(), maximized: false }, 'edit');
      if (quitting()) return;
      event.preventDefault();
      close();
    });
    created.on('closed', () => {
      if (window === created) window = undefined;
    });
    openPage(created, paths.editPage).catch((error: unknown) => console.error('Couldn’t open the page for drafts:', error));
    return created;
  }

  /** Shows the first of these drafts, and the others after it. */
  function open(ids: readonly string[]) {
    if (quitting() || ids.length === 0) return;
    waiting = [...waiting.filter((id) => !ids.includes(id)), ...ids.toReversed()];
    window ??= create();
    ipc.tell('draftChanged', null);
    if (isPresentable) bringToFront(window);
  }

  function finish(id: string) {
    waiting = waiting.filter((other) => other !== id);
    showNext();
  }

  function close() {
    const kept = waiting.some((id) => uploader.draft(id));
    waiting = [];
    showNext();
    videos.abandon().catch((error: unknown) => console.error('Couldn’t remove what was made of a video:', error));
    if (!kept || hasExplained) return;
    hasExplained = true;
    notify({ title: texts().draftKept, body: texts().draftKeptWhere, onClick: () => showPage('/uploads') });
  }

  /** The file that shows what a draft is; of a video, its poster. */
  const pictureFile = (draft: Item) => (isVideoName(draft.name) ? spool.posterOf(draft) : draft.path);

  async function sendListed(id: string) {
    const draft = uploader.draft(id);
    if (draft && (waiting.includes(id) || draft.marks !== undefined)) return open([id]);
    await uploader.sendDraft(id);
  }

  function showNext() {
    waiting = waiting.filter((id) => uploader.draft(id));
    ipc.tell('draftChanged', null);
    if (waiting.length === 0 && window) hide(window);
  }

  function hide(shown: BrowserWindow) {
    putAway(shown, () => {
      if (waiting.length > 0) return; // another draft has come
      shown.hide();
      yieldFocus();
    });
  }

  async function ask(ids: readonly string[]) {
    const { askToUpload: message, uploadNow, editFirst, keepAsDraft, askToUploadDetail: detail } = texts();
    const buttons = [uploadNow, editFirst, keepAsDraft];
    const first = uploader.draft(ids[0] ?? '');
    const icon = first && (await pictureOf(pictureFile(first), QUESTION_SIZE));
    const button = await messageBox({
      type: 'question',
      message: message(ids.length),
      detail,
      buttons,
      defaultId: 1,
      cancelId: 2,
      ...(icon && { icon }),
    });
    if (button === 1) open(ids);
    if (button === 0) for (const id of ids) if (uploader.draft(id)) await uploader.sendDraft(id);
  }

  /** The window is prepared where the next picture may become a draft. */
  function prepare({ afterCapture, afterClipboard, afterDrop }: Preferences) {
    if ([afterCapture, afterClipboard, afterDrop].some((after) => after !== 'upload') && !quitting()) window ??= create();
  }

  preferences.onChange(prepare);
  mainWindow?.webContents.once('did-finish-load', () => prepare(preferences.get()));
  arrivals.onDrafts((ids, what) => {
    if (what === 'edit') open(ids);
    else ask(ids).catch((error: unknown) => console.error('Couldn’t upload a picture:', error));
  });
  ipc.addWindow({ windows: () => [window], pages: ['edit'], pageKind });
  const videos = handleDraftVideos({ ipc, uploader, spool, window: () => window });
  ipc.handle({
    openDraft: (id) => void open(uploader.draft(id) ? [id] : []),
    async sendListedDraft(id) {
      await sendListed(id);
      return undefined;
    },
    getDraftThumbnail(id) {
      const draft = uploader.draft(id);
      return draft ? thumbnailOf(draft, pictureFile(draft)) : null;
    },
    async getDraft() {
      const item = waiting.map((id) => uploader.draft(id)).findLast((draft) => draft !== undefined);
      if (!item) return null;
      const { id, name, marks = null } = item;
      const draft = { id, name, marks, following: waiting.length - 1, canPin, readsText: readText !== undefined };
      try {
        if (!isVideoName(name)) return { ...draft, bytes: await readFile(item.path) };
        await using file = await openFile(item.path);
        return { ...draft, canPin: false, video: { address: pathToFileURL(item.path).href, size: file.size } };
      } catch (error) {
        return { ...draft, problem: describe(readingFailure(error), texts()) };
      }
    },
    keepMarks: (id, marks) => void uploader.keepMarks(id, marks),
    async sendDraft(id, result, sendsOn) {
      if (result && 'isWritten' in result) await videos.send(id, result, sendsOn);
      else {
        const name = uploader.draft(id)?.name;
        const file = result && name !== undefined ? await spool.keep(result.bytes, renamed(name, result.ext)) : undefined;
        await uploader.sendDraft(id, file, sendsOn);
      }
      await videos.abandon();
      finish(id);
      return undefined;
    },
    async copyPicture(bytes) {
      await copyPicture(bytes);
      return undefined;
    },
    async savePicture(name, bytes) {
      const filePath = await askWhereToSave('savedPicture', window, fileNameOf(name, extname(name).slice(1) || 'png'));
      if (filePath === undefined) return false;
      await writeFile(filePath, bytes);
      return true;
    },
    async readDraftText(id) {
      const draft = uploader.draft(id);
      if (!draft) throw new Reason('draftGone');
      return (await readText?.(draft.path)) ?? [];
    },
    async discardDraft(id) {
      await uploader.discardDraft(id);
      await videos.abandon();
      finish(id);
      return undefined;
    },
    closeDraft: () => void close(),
  });
}

/** Undefined where Electron can't decode the picture: it knows PNG and JPEG. */
async function pictureOf(path: string, height: number) {
  const bytes = await readFile(path).catch(() => undefined); // the row says what is wrong
  return bytes && (await uprightImage(bytes, height));
}

/** @param path of the picture; that of a video isn't drawn on */
async function thumbnailOf({ path: own, marks }: Item, path: string) {
  // Only a page can draw.
  const drawnOn = marks === undefined || path !== own ? undefined : await readFile(path).catch(() => undefined); // the row says what is wrong
  if (drawnOn && marks !== undefined) return { bytes: new Uint8Array(drawnOn), marks };
  const image = await pictureOf(path, THUMBNAIL_HEIGHT);
  return image ? { bytes: new Uint8Array(image.toJPEG(80)), marks: null } : null;
}
