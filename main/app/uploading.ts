import { join } from 'node:path';
import { app, desktopCapturer, clipboard as electronClipboard, screen, shell, systemPreferences } from 'electron';
import { HANDOVER_FOLDER } from '#api/desktop/handover.ts';
import { systemClock } from '#main/base/clock.ts';
import { messageBox } from '#main/base/system/message-box.ts';
import { clipboardItems } from '#main/capture/clipboard.ts';
import { setupClipboardWatch } from '#main/capture/clipboard-watch.ts';
import { copyPicture } from '#main/capture/copy-picture.ts';
import { handleAddressUploads } from '#main/capture/drop.ts';
import { setupHandover } from '#main/capture/handover.ts';
import { handlePreferenceCalls } from '#main/capture/preference-calls.ts';
import { createScreenCapture } from '#main/capture/screen/capture.ts';
import { screenPermission } from '#main/capture/screen/permission.ts';
import { hasPortal } from '#main/capture/screen/portal.ts';
import { captureTools } from '#main/capture/screen/tools.ts';
import { openSeenMarks } from '#main/capture/seen-marks.ts';
import { setupShortcuts } from '#main/capture/shortcuts.ts';
import { createTriggers } from '#main/capture/triggers.ts';
import { cardActions } from '#main/delivery/card-actions.ts';
import { createCardFiles } from '#main/delivery/card-files.ts';
import { createCards } from '#main/delivery/cards.ts';
import { createDelivery } from '#main/delivery/delivery.ts';
import { setupEditors } from '#main/editors/setup.ts';
import { createEditorUploads } from '#main/editors/uploads.ts';
import { watchScreenshots } from '#main/first-launch/apply-choices.ts';
import { LANE } from '#main/journal/item.ts';
import { setupRecording } from '#main/recording/setup.ts';
import { takesVideos } from '#main/service/account.ts';
import { createAlbumNotices } from '#main/uploader/albums-of-others.ts';
import { createLocalCopies } from '#main/uploader/local-copies.ts';
import { notifyOfPaused, notifyOfWaiting } from '#main/uploader/notices.ts';
import { pendingUploads } from '#main/uploader/pending.ts';
import { pageToSend, setupRecentUploads, setupSentUploads } from '#main/uploader/recent-uploads.ts';
import { setupUploader } from '#main/uploader/setup.ts';
import { handleThumbnails } from '#main/uploader/thumbnail.ts';
import { createFolderNotices } from '#main/watcher/notices.ts';
import { setupWatcher } from '#main/watcher/setup.ts';
import { setupCardWindows } from '#main/windows/card-windows.ts';
import { setupEditWindow } from '#main/windows/edit-window.ts';
import type { Pins } from '#main/windows/pins.ts';
import type { MainWindow } from '#main/windows/windows.ts';
import type { Basics } from './basics.ts';
import type { Hosting } from './hosting.ts';

/** The queue, and everything that puts pictures into it. */
export function setupUploading(
  basics: Basics,
  { account, joined, chosen, dataFolder, service, lan, explainFailure }: Hosting,
  mainWindow: MainWindow,
  pins: Pins,
  quitting: () => boolean,
) {
  const { ipc, clipboard, preferences, texts, notify, env, explain } = basics;
  const folder = app.getPath('userData');
  const sent = setupSentUploads(account);
  const recent = joined ? sent : setupRecentUploads(account);
  const cards = createCards({
    ipc,
    clock: systemClock,
    windows: setupCardWindows({ ipc, paths: basics.paths, preferences, texts }),
    keepFile: createCardFiles(join(folder, 'cards'), basics.paths.icon),
    preferences,
    texts,
    describe: explainFailure,
    canFloat: !env.wayland,
  });
  const openOnServer = joined?.openHost ?? mainWindow.show;
  const { deliver, copy, tellOfFailure } = createDelivery({
    describe: explainFailure,
    ipc,
    lan: joined ? undefined : lan,
    clipboard,
    copyPicture: env.wayland ? undefined : (png, text) => copyOwn(png, text),
    preferences: preferences.get,
    texts,
    notify,
    cards,
    account,
    openWindow: mainWindow.show,
    openOnServer,
  });
  const tellOfFolders = createFolderNotices({ clock: systemClock, texts, notify, describe: explainFailure, open: mainWindow.show });
  const copyFolder = join(app.getPath('pictures'), 'Pixdock');
  const keepCopy = createLocalCopies({
    preferences: preferences.get,
    usualFolder: copyFolder,
    sourceName: (origin) => texts().copySources[origin === 'capture' || origin === 'clipboard' || origin === 'editor' ? origin : 'other'],
    onFailed: (name, error) => notify({ title: texts().localCopyFailed(name), body: explain(error), failure: true }),
  });
  const { journal, uploader, arrivals, spool } = setupUploader({
    ipc,
    folder,
    account,
    preferences: preferences.get,
    linkAddress: () => (joined ? undefined : (lan.status().linkAddress ?? undefined)),
    describe: explainFailure,
    keepCopy,
    deliver: async (batch) =>
      batch.origin === 'folder' && !batch.links
        ? tellOfFolders(await cards.finish(batch, { onClipboard: 'nothing' }))
        : await deliver(batch),
  });
  cards.follow({
    uploader,
    find: journal.items.get,
    actions: cardActions({
      preferences: preferences.get,
      copy,
      copyPicture: (png) => copyOwn(png),
      uploader,
      arrivals,
      spool,
      pins,
      account,
      sendTo: (key) => openOnServer(pageToSend(key)),
      onDeleted(key) {
        sent.remove(key);
        void recent.refresh();
      },
    }),
  });
  handleAddressUploads(ipc, { account, deliver });
  if (joined) handleThumbnails(ipc, account);
  joined?.handleLeaving({ texts, program: env.launchFile, pending: pendingUploads(uploader) });
  const tellOfAlbums = createAlbumNotices({ account, journal, notify, texts, open: mainWindow.show });
  notifyOfPaused({ uploader, notify, texts, open: mainWindow.show });
  notifyOfWaiting({ uploader, clock: systemClock, notify, texts, describe: explainFailure, hasCard: cards.has, open: mainWindow.show });
  uploader.onEnded(({ item, image, isLast }) => {
    if (image) sent.add(image);
    if (item.state === 'failed' && item.lane === LANE.person && !isLast) tellOfFailure(item);
    void recent.refresh();
    void tellOfAlbums({ item, image });
  });
  const folders = setupWatcher({
    ipc,
    journal,
    queue: uploader,
    onDrafts: arrivals.announce,
    account,
    dataFolder,
    hosts: joined === undefined,
    describe: explainFailure,
    texts,
    window: mainWindow.get,
  });
  watchScreenshots(chosen.screenshots, folders);

  const videos = () => takesVideos(account);
  const clipboardWatch = setupClipboardWatch({
    clipboard,
    preferences,
    available: !env.wayland,
    seen: openSeenMarks(),
    clock: systemClock,
    upload: async (content) =>
      void arrivals.take(await clipboardItems(content, spool, videos), {
        trigger: 'clipboard',
        origin: 'clipboard',
        links: { mark: content.mark },
      }),
  });
  const permission = screenPermission({ platform: process.platform, systemPreferences, desktopCapturer, messageBox, shell, texts });
  const tools = captureTools({ platform: process.platform, env, clipboard, screen, desktopCapturer });
  const screenCapture = createScreenCapture({ tools, permission, spool, aside: cards.aside });
  const triggers = createTriggers({
    clipboard,
    uploader,
    arrivals,
    spool,
    screenCapture,
    screenPermission: permission,
    clipboardWatch,
    account,
    preferences: preferences.get,
    notify,
    texts,
    window: mainWindow.get,
    readText: (path) => service.readText(path),
  });
  /** Copies a picture without uploading it as a copied one. */
  async function copyOwn(png: Uint8Array, text?: string) {
    await clipboardWatch.without(async () => clipboardWatch.note(await copyPicture(electronClipboard, png, text)));
  }
  setupEditWindow({
    ipc,
    paths: basics.paths,
    preferences,
    texts,
    uploader,
    arrivals,
    spool,
    copyPicture: copyOwn,
    canPin: !env.wayland,
    readText: joined ? undefined : (path) => service.readText(path),
    mainWindow: mainWindow.get(),
    notify,
    showPage: mainWindow.show,
    quitting,
  });
  const recording = setupRecording({
    ipc,
    paths: basics.paths,
    preferences: preferences.get,
    texts,
    notify,
    account,
    uploader,
    arrivals,
    spool,
    permission,
    desktopCapturer,
    wayland: env.wayland,
  });
  setupHandover({
    folder: join(folder, HANDOVER_FOLDER),
    uploadClipboard: triggers.uploadClipboardFor,
    captureScreen: triggers.captureScreenFor,
    record: recording.record,
  });
  const uploads = createEditorUploads({
    uploader,
    spool,
    clipboard,
    account,
    takesVideos: videos,
    preferences: preferences.get,
    describe: explainFailure,
  });
  setupEditors({ ipc, port: env.editorsPort, folder: join(folder, 'incoming'), preferences, uploads, describe: explain });
  const shortcuts = setupShortcuts({
    preferences,
    actions: {
      upload: triggers.uploadClipboard,
      capture: (inverted) => triggers.captureScreen(inverted),
      record: (inverted) => recording.toggle('region', inverted),
    },
    portal: env.wayland ? hasPortal(env.sessionBus, 'GlobalShortcuts') : undefined,
    onRefused: (keys) => notify({ title: 'Pixdock', body: texts().shortcutRefused(keys), failure: true }),
  });
  handlePreferenceCalls(ipc, { preferences, shortcuts, clipboardWatch, env, copyFolder, texts, window: mainWindow.get });
  return { recent, uploader, folders, triggers, shortcuts, screenCapture, cards, recording };
}
