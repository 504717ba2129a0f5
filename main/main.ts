import { EventEmitter } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { app, dialog, clipboard as electronClipboard, session } from 'electron';
import type { Delivery } from '#api/desktop/drop.ts';
import { HANDOVER_FOLDER } from '#api/handover.ts';
import { systemClock } from './base/clock.ts';
import { readEnv } from './base/env.ts';
import { describeFailure, type Failure } from './base/failure.ts';
import { setupLogs } from './base/logs.ts';
import { setupNotifications, wantsNotice } from './base/notifications.ts';
import { appPaths } from './base/paths.ts';
import { setupKeepAwake } from './base/power.ts';
import { setupPreferences } from './base/preferences.ts';
import { describe } from './base/reasons.ts';
import { setupRole } from './base/role.ts';
import { createStartAtLogin } from './base/start-at-login.ts';
import { hasTray } from './base/tray-support.ts';
import { createCalls } from './calls.ts';
import { clipboardItems } from './capture/clipboard.ts';
import { setupClipboardWatch } from './capture/clipboard-watch.ts';
import { createDelivery } from './capture/delivery.ts';
import { setupHandover } from './capture/handover.ts';
import { hasPortal } from './capture/region/portal.ts';
import { regionTools } from './capture/region/tools.ts';
import { createScreenCapture } from './capture/screen-capture.ts';
import { openSeenMarks } from './capture/seen-marks.ts';
import { enableShortcutPortal } from './capture/shortcut-portal.ts';
import { setupShortcuts } from './capture/shortcuts.ts';
import { createTriggers } from './capture/triggers.ts';
import { waylandClipboard } from './capture/wayland-clipboard.ts';
import { setupEditors } from './editors/setup.ts';
import { createEditorUploads } from './editors/uploads.ts';
import { startOrExplain } from './fatal.ts';
import { applyWishes, watchScreenshots } from './first-launch/wishes.ts';
import { setupIpc } from './ipc.ts';
import { setupMemory } from './lan/memory.ts';
import { listenOptions, setupLan } from './lan/setup.ts';
import { setupQuit } from './quit.ts';
import { collectRequests, fulfil, type StartRequests } from './requests.ts';
import { chooseRole, setupAccount, setupToken } from './role-parts.ts';
import { showLogFolder } from './service/calls.ts';
import { findDataFolder } from './service/data-folder.ts';
import { ownerName } from './service/owner-name.ts';
import { setupService } from './service/service.ts';
import { createWindowSession } from './service/window-session.ts';
import { claimSingleInstance } from './single-instance.ts';
import { textsFor } from './texts/texts.ts';
import { setupTray } from './tray/tray.ts';
import { trayActions } from './tray/tray-actions.ts';
import { trayState } from './tray/tray-state.ts';
import { setupUpdates } from './updates.ts';
import { uploadStatus } from './uploader/calls.ts';
import { explainKept } from './uploader/kept.ts';
import { pendingUploads } from './uploader/pending.ts';
import { setupRecentUploads, setupSentUploads } from './uploader/recent-uploads.ts';
import { setupUploader } from './uploader/setup.ts';
import { presentFolders } from './watcher/calls.ts';
import { createFolderNotices } from './watcher/notices.ts';
import { setupWatcher } from './watcher/setup.ts';
import { setupAppMenu } from './windows/app-menu.ts';
import { createDropWindow } from './windows/drop-window.ts';
import { setupPageEvents } from './windows/page-events.ts';
import { pageKinds } from './windows/pages.ts';
import { explainPutAway } from './windows/put-away.ts';
import { setupMainWindow } from './windows/windows.ts';

/** Assembles the desktop app. Each part receives what it needs; none looks up another. */
async function start(requests: StartRequests) {
  const logs = setupLogs({ folder: app.getPath('logs'), echo: !app.isPackaged });
  const paths = appPaths({ isPackaged: app.isPackaged, appPath: app.getAppPath(), resourcesPath: process.resourcesPath });
  const quit = setupQuit();
  const preferences = setupPreferences();
  const texts = () => textsFor(preferences.get().language, app.getLocale());
  const explain = (error: unknown) => describe(error, texts());
  const explainFailure = (failure: Failure) => describeFailure(failure, texts());
  const notify = setupNotifications((type) => wantsNotice(type, preferences.get()));
  const env = readEnv();
  const clipboard = env.wayland ? waylandClipboard(electronClipboard) : electronClipboard;
  const earlierDataDir = join(app.getPath('userData'), 'data');
  const roles = setupRole(env, earlierDataDir);
  const token = setupToken();
  const chosen = await chooseRole({ paths, preferences, roles, clock: systemClock, texts }, token);
  const { role } = chosen;
  const hosting = role.kind === 'host' ? role : undefined;
  const data = findDataFolder({ chosen: hosting?.dataDir ?? env.dataDir, usual: env.usualDataDir, earlier: earlierDataDir });
  if (data.stays && preferences.firstTime('data-stays'))
    notify({ title: texts().dataStaysTitle, body: texts().dataStays(data.path, env.usualDataDir), failure: true });
  const startAtLogin = createStartAtLogin({
    platform: process.platform,
    app,
    command: [env.appImage ?? process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()])],
    autostartFile: join(env.autostartFolder, 'pixdock.desktop'),
  });
  const network = { env, preferences, memory: setupMemory() };
  const service = setupService({ ...listenOptions(network), dataDir: data.path }, paths, logs);
  if (hosting) service.start();
  const lan = setupLan({ ...network, service });
  const username = ownerName(userInfo().username);
  const windowSession = createWindowSession({ service, cookies: session.defaultSession.cookies, username });
  const { account, local, joined } = setupAccount(role, { service, preferences, roles, token, username, clock: systemClock });
  if (hosting) applyWishes(hosting, roles, account);
  const sent = setupSentUploads(account);
  const recent = joined ? sent : setupRecentUploads(account);
  const refresh = () => void recent.refresh();
  const pageKind = pageKinds(paths, service, joined !== undefined);

  const mainWindow = setupMainWindow({
    paths,
    service,
    session: windowSession,
    preferences,
    pageKind,
    firstPage: chosen.open === 'restore' ? '/admin/backup' : '/',
    isJoined: joined !== undefined,
    quitting: quit.begun,
    mayQuit: () => quit.confirm(texts()),
    onBlur: refresh,
    hidden: requests.first.hidden,
    hasTray: () => hasTray(env.mayLackTray),
    texts,
    onPutAway: explainPutAway(preferences, notify, texts),
  });
  chosen.close();
  const dropWindow = createDropWindow({ paths, preferences, texts });
  const deliveries = new EventEmitter<{ delivered: [Delivery] }>();
  const deliver = createDelivery({
    clipboard,
    preferences: preferences.get,
    texts,
    notify,
    account,
    onDelivered: (delivery) => deliveries.emit('delivered', delivery),
    openWindow: mainWindow.show,
  });
  const tellOfFolders = createFolderNotices({ clock: systemClock, texts, notify, open: mainWindow.show });
  const { journal, uploader, spool } = setupUploader({
    folder: app.getPath('userData'),
    account,
    deliver: async (batch) => (batch.origin === 'folder' && !batch.links ? tellOfFolders(batch) : await deliver(batch)),
  });
  uploader.onEnded(({ image }) => {
    if (image) sent.add(image);
    refresh();
  });
  const folders = setupWatcher({ journal, queue: uploader, account, dataFolder: data.path });
  watchScreenshots(chosen.screenshots, folders);
  const selectRegion = createScreenCapture(regionTools(process.platform, env, clipboard), spool);
  const clipboardWatch = setupClipboardWatch({
    clipboard,
    preferences,
    available: !env.wayland,
    seen: openSeenMarks(),
    clock: systemClock,
    upload: async (content) => void uploader.upload(await clipboardItems(content, spool), 'clipboard', { mark: content.mark }),
  });
  const triggers = createTriggers({
    clipboard,
    uploader,
    spool,
    selectRegion,
    clipboardWatch,
    account,
    notify,
    texts,
    window: mainWindow.get,
  });
  setupHandover({
    folder: join(app.getPath('userData'), HANDOVER_FOLDER),
    uploadClipboard: triggers.uploadClipboardFor,
    captureScreen: triggers.captureScreenFor,
  });
  const uploads = createEditorUploads({ uploader, spool, clipboard, account, preferences: preferences.get, describe: explainFailure });
  const editors = setupEditors({
    port: env.editorsPort,
    folder: join(app.getPath('userData'), 'incoming'),
    preferences,
    uploads,
    describe: explain,
  });
  const shortcuts = setupShortcuts({
    preferences,
    actions: { upload: triggers.uploadClipboard, capture: triggers.captureScreen },
    portal: env.wayland ? hasPortal(env.sessionBus, 'GlobalShortcuts') : undefined,
    onRefused: (keys) => notify({ title: 'Pixdock', body: texts().shortcutRefused(keys), failure: true }),
  });

  const uploadParts = { uploader, spool, account, preferences: preferences.get, describe: explainFailure };
  const folderParts = { folders, describe: explainFailure, texts, window: mainWindow.get };
  const drop = { account, dropWindow, deliver };
  const parts = {
    clipboard,
    logs,
    service,
    lan,
    local,
    uploads: uploadParts,
    folders: folderParts,
    preferences,
    shortcuts,
    clipboardWatch,
    startAtLogin,
    editors,
    drop,
  };
  const handlers = {
    ...createCalls(parts),
    ...joined?.handlers({ texts, program: env.appImage, pending: pendingUploads(uploader) }),
  };
  const { tell } = setupIpc({ handlers, windows: [{ get: mainWindow.get, pageKind }, dropWindow], describe: explain });
  setupPageEvents(tell, {
    service,
    lan,
    uploads: { onChange: uploader.onChange, read: () => uploadStatus(uploadParts) },
    folders: { onChange: folders.onChange, read: () => presentFolders(folderParts) },
  });
  joined?.follow(tell);
  deliveries.on('delivered', (delivery) => tell('delivery', delivery));
  const checkForUpdates = setupUpdates({ app, dialog, resourcesPath: process.resourcesPath, texts, describe: explain });
  const trayParts = {
    service,
    lan,
    account: local ?? account,
    uploader,
    folders,
    recent,
    preferences,
    shortcuts,
    startAtLogin,
    describe: explainFailure,
  };
  const host = { open: mainWindow.show, openHost: () => joined?.openHost() };
  setupTray({
    images: paths.trayImages,
    state: () => trayState({ ...trayParts, host: () => joined?.present() }),
    texts,
    actions: {
      ...trayActions({ clipboard, service, uploader, folders, recent, preferences, dropWindow, triggers, startAtLogin, logs, ...host }),
      checkForUpdates,
    },
    onApproach: refresh,
    changes: [
      (redraw) => service.onStatus(redraw),
      (redraw) => lan.onChange(redraw),
      account.onChange,
      uploader.onChange,
      folders.onChange,
      recent.onChange,
      preferences.onChange,
      startAtLogin.onChange,
    ],
  });
  setupAppMenu({
    texts,
    actions: { uploadFiles: () => void triggers.uploadFiles(), openLogFolder: () => showLogFolder(logs), quit: () => app.quit() },
    onChange: preferences.onChange,
  });
  const reaction = { show: mainWindow.show, upload: triggers.uploadPaths };
  if (requests.first.files.length > 0 || requests.first.page !== undefined) fulfil(requests.first, reaction);
  requests.follow((request) => fulfil(request, reaction));
  setupKeepAwake(preferences);
  quit.drain({
    window: mainWindow.get(),
    onBegin: () => explainKept(uploader, notify, texts),
    closeUploads: async () => void (await Promise.all([folders.close(), uploader.close()])),
    stopService: () => Promise.all([service.stop(), lan.close()]),
  });
}

enableShortcutPortal();
if (claimSingleInstance()) {
  const requests = collectRequests();
  startOrExplain(() => start(requests));
}
