import { join } from 'node:path';
import { app } from 'electron';
import { messageBox } from '#main/base/system/message-box.ts';
import { followBattery, setupKeepAwake } from '#main/base/system/power.ts';
import { createStartAtLogin } from '#main/base/system/start-at-login.ts';
import { setupTraySupport } from '#main/base/system/tray-support.ts';
import { setupBasics } from './app/basics.ts';
import { setupHosting } from './app/hosting.ts';
import { setupUploading } from './app/uploading.ts';
import { systemClock } from './base/clock.ts';
import { outliveTerminal } from './base/files/logs.ts';
import { handleStartupCalls } from './base/startup-calls.ts';
import { startOrExplain } from './fatal.ts';
import { setupQuit } from './quit.ts';
import { showLogFolder } from './service/calls.ts';
import { collectRequests, fulfil, type StartRequests } from './start-requests.ts';
import { hostState } from './tray/host-items.ts';
import { setupTray } from './tray/tray.ts';
import { trayActions } from './tray/tray-actions.ts';
import { createTrayStore } from './tray/tray-state.ts';
import { canInstallUpdates, setupUpdates } from './updates.ts';
import { notifyOfUnsent } from './uploader/notices.ts';
import { setupAppMenu } from './windows/app-menu.ts';
import { followAppearance } from './windows/appearance.ts';
import { explainBackupFaults } from './windows/backup-faults.ts';
import { createDropWindow } from './windows/drop-window.ts';
import { notifyOfMinimising } from './windows/minimise-notice.ts';
import { pageKinds } from './windows/pages.ts';
import { setupPins } from './windows/pins.ts';
import { announceReceived } from './windows/received-pictures.ts';
import { setupMainWindow } from './windows/windows.ts';

/** Assembles the desktop app. Each part receives what it needs; none looks up another. */
async function start(requests: StartRequests) {
  const basics = setupBasics();
  const { ipc, paths, preferences, texts, notify, env, clipboard, logs, explain } = basics;
  const menuActions = { openLogFolder: () => showLogFolder(logs), quit: () => app.quit() };
  const offerUploads = setupAppMenu({ texts, actions: menuActions, onChange: preferences.onChange });
  const quit = setupQuit(env.launchFile);
  const first = requests.first();
  const tray = setupTraySupport({ address: env.sessionBus, mayLackTray: env.mayLackTray, clock: systemClock });
  const startAtLogin = createStartAtLogin({
    platform: process.platform,
    app,
    command: [env.launchFile ?? process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()])],
    autostartFile: join(env.autostartFolder, 'pixdock.desktop'),
  });
  handleStartupCalls(ipc, startAtLogin);
  const hosting = await setupHosting(basics, requests.onJoin);
  const { chosen, service, lan, account, local, joined, explainFailure } = hosting;

  const pageKind = pageKinds(paths, service, joined !== undefined);
  const mainWindow = setupMainWindow({
    ipc,
    paths,
    service,
    session: hosting.windowSession,
    preferences,
    pageKind,
    firstPage: chosen.open === 'restore' ? '/admin/backup' : '/',
    isJoined: joined !== undefined,
    quitting: quit.begun,
    startAgain: quit.startAgain,
    mayQuit: () => quit.confirm(texts()),
    onBlur: () => refresh(),
    hidden: first.hidden,
    tray,
    texts,
    onClosed: notifyOfMinimising(notify, texts),
  });
  explainBackupFaults({ service, notify, texts, open: mainWindow.show });
  announceReceived({
    account: local ?? account,
    isJoined: joined !== undefined,
    clock: systemClock,
    notify,
    texts,
    open: joined?.openHost ?? mainWindow.show,
  });
  chosen.close();
  const dropWindow = createDropWindow({ ipc, paths, preferences, texts, quitting: quit.begun, startAgain: quit.startAgain });
  followAppearance(ipc, preferences);
  const pins = setupPins({ ipc, paths, preferences, texts, canFloat: !env.wayland });
  const { recent, uploader, folders, triggers, shortcuts, screenCapture, cards, recording } = setupUploading(
    basics,
    hosting,
    mainWindow,
    pins,
    quit.begun,
  );
  ipc.requireHandlers();
  const refresh = () => void recent.refresh();

  const parts = {
    quit,
    service,
    lan,
    uploader,
    folders,
    recent,
    preferences,
    shortcuts,
    screenCapture,
    recording,
    pins,
    cards,
    startAtLogin,
  };
  const trayParts = { ...parts, account: local ?? account, describe: explainFailure, host: () => joined && hostState(joined.present()) };
  const openOnServer = joined?.openHost ?? mainWindow.show;
  const host = { open: mainWindow.show, openHost: () => joined?.openHost(), openOnServer };
  const checkForUpdates = setupUpdates({
    app,
    messageBox,
    resourcesPath: process.resourcesPath,
    canInstall: canInstallUpdates(env, process),
    texts,
    describe: explain,
  });
  setupTray({
    images: paths.trayImages,
    store: createTrayStore(trayParts),
    texts,
    actions: { ...trayActions({ ...parts, clipboard, dropWindow, triggers, logs, notify, texts, explain, ...host }), checkForUpdates },
    onApproach: refresh,
    onMissing: tray.onMissing,
  });
  offerUploads(() => void triggers.uploadFiles());
  /** Settled once the journal has the files that the app was given. */
  let given = Promise.resolve();
  const reaction = {
    show: mainWindow.show,
    upload(files: readonly string[]) {
      given = given.then(() => triggers.uploadPaths(files));
      if (quit.begun()) quit.startAgain();
    },
    join(address: string) {
      mainWindow.show();
      const host = joined?.present();
      if (host?.url === address) return;
      notify({ title: texts().notJoined, body: texts().alreadyChosen(host?.name), failure: true });
    },
  };
  // Without a server to join that the first page has shown.
  const { files, page, join: address } = requests.first();
  if (files.length > 0 || page !== undefined || address !== undefined) fulfil(requests.first(), reaction);
  requests.follow((request) => fulfil(request, reaction));
  setupKeepAwake(preferences);
  followBattery((onBattery) => service.setOnBattery(onBattery));
  quit.drain({
    window: mainWindow.get(),
    onBegin: () => notifyOfUnsent(uploader, notify, texts),
    async closeUploads() {
      await given;
      await recording.close();
      await Promise.all([folders.close(), uploader.close()]);
    },
    stopService: () => Promise.all([service.stop(), lan.close()]),
  });
}

outliveTerminal();
if (claimSingleInstance()) {
  const requests = collectRequests();
  startOrExplain(() => start(requests));
}

/** True for the only instance. A second start makes the first one show its window, and exits. */
function claimSingleInstance(): boolean {
  const first = app.requestSingleInstanceLock();
  if (!first) app.exit(0);
  return first;
}
