import { type NativeImage, nativeImage } from 'electron';
import type { WatchFolder } from '#api/desktop/folders.ts';
import type { LanStatus } from '#api/desktop/lan.ts';
import type { ServiceStatus } from '#api/desktop/service.ts';
import type { StartAtLoginState } from '#api/desktop/startup.ts';
import type { DesktopLinkFormat } from '#api/sharing/link-formats.ts';
import { type Reach, reachOf } from '#api/sharing/reach.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Failure } from '#main/base/reasons.ts';
import type { StartAtLogin } from '#main/base/system/start-at-login.ts';
import type { ScreenCapture } from '#main/capture/screen/capture.ts';
import type { Shortcut, Shortcuts } from '#main/capture/shortcuts.ts';
import type { Lan } from '#main/lan/lan.ts';
import type { Recordings } from '#main/recording/setup.ts';
import type { Account } from '#main/service/account.ts';
import type { LocalAccount } from '#main/service/local-account.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { RecentUploads } from '#main/uploader/recent-uploads.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { presentFolders } from '#main/watcher/calls.ts';
import type { WatchFolders } from '#main/watcher/folders.ts';
import type { Pins } from '#main/windows/pins.ts';
import type { AccountState } from './account-items.ts';
import type { CaptureState } from './capture-items.ts';
import type { FolderState } from './folder-items.ts';
import type { HostState } from './host-items.ts';
import type { Appearance } from './more-items.ts';
import type { UploadState } from './upload-items.ts';

/** The state that the tray shows, as plain values. */
export interface TrayState extends CaptureState {
  /** `again`: the app is quitting and starts again afterwards. */
  quit: 'running' | 'quitting' | 'again';
  service: ServiceStatus;
  lan: LanStatus;
  /** The joined host; undefined where this app hosts. */
  host: HostState | undefined;
  account: AccountState;
  uploads: UploadState;
  folders: readonly FolderState[];
  startAtLogin: StartAtLoginState;
  appearance: Appearance;
  recent: readonly { key: string; name: string; isPrivate: boolean; icon?: NativeImage }[];
  /** Who can open links; undefined until there is one. */
  reach: Reach | undefined;
  linkFormat: DesktopLinkFormat;
}

/** Height of thumbnails in the menu, in device-independent pixels. */
const ICON_HEIGHT = 20;
/** Maximum number of failed uploads in the menu. */
const MAX_FAILED = 10;

/** Says when it has changed. */
interface Watched {
  onChange(listener: () => void): unknown;
}

/** What the tray's state is made of. */
interface Parts extends Sources {
  service: Pick<ServiceProcess, 'status' | 'onStatus'>;
  /** Undefined where this app hosts. It changes with the account. */
  host(): HostState | undefined;
  describe(failure: Failure): string;
}

interface Sources {
  quit: Watched & { state(): TrayState['quit'] };
  lan: Pick<Lan, 'status' | 'onChange'>;
  account: Pick<Account, 'name' | 'onChange'> & Partial<Pick<LocalAccount, 'missing'>>;
  uploader: Uploader;
  folders: WatchFolders;
  recent: RecentUploads;
  preferences: PreferenceStore;
  shortcuts: Shortcuts;
  screenCapture: Pick<ScreenCapture, 'modes' | 'onChange'>;
  recording: Pick<Recordings, 'phase' | 'targets' | 'onChange'>;
  pins: Pick<Pins, 'count' | 'onChange'>;
  cards: Watched & { count(): number };
  startAtLogin: StartAtLogin;
}

/** Decoded thumbnails, by their bytes. */
const icons = new WeakMap<Buffer, NativeImage>();

function iconOf(thumbnail: Buffer): NativeImage {
  const icon = icons.get(thumbnail) ?? nativeImage.createFromBuffer(thumbnail).resize({ height: ICON_HEIGHT });
  icons.set(thumbnail, icon);
  return icon;
}

/** The tray's state, and when it may have changed: a source that doesn't say so doesn't compile. */
export function createTrayStore(parts: Parts): { state(): TrayState; onChange(listener: () => void): void } {
  return {
    state: () => trayState(parts),
    onChange(listener) {
      const { service, host, describe, ...sources } = parts;
      service.onStatus(listener);
      for (const source of Object.values<Watched>(sources)) source.onChange(listener);
    },
  };
}

function trayState(parts: Parts): TrayState {
  const {
    quit,
    service,
    host,
    lan,
    account,
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
    describe,
  } = parts;
  return {
    quit: quit.state(),
    service: service.status(),
    host: host(),
    startAtLogin: startAtLogin.state(),
    appearance: { theme: preferences.get().theme, language: preferences.get().language },
    lan: lan.status(),
    account: { name: account.name(), missing: account.missing?.() ?? false },
    uploads: uploadState(uploader, describe),
    folders: presentFolders({ folders, describe }).map(folderState),
    recent: recent.list().map(({ image, thumbnail }) => ({
      key: image.key,
      name: image.name,
      isPrivate: image.visibility === 'private',
      icon: thumbnail && iconOf(thumbnail),
    })),
    reach: reachOfRecent(recent),
    linkFormat: preferences.get().linkFormat,
    pins: pins.count(),
    hasCards: cards.count() > 0,
    captureModes: screenCapture.modes(),
    recording: recording.phase(),
    recordingTargets: recording.targets,
    captureDelay: preferences.get().captureDelay,
    uploadsAtOnce: preferences.get().afterCapture === 'upload',
    readsText: host() === undefined,
    shortcuts: { upload: shown(shortcuts.upload), capture: shown(shortcuts.capture), record: shown(shortcuts.record) },
  };
}

function reachOfRecent(recent: RecentUploads): Reach | undefined {
  const [latest] = recent.list();
  return latest && reachOf(latest.image.links.url);
}

function uploadState(uploader: Uploader, describe: Parts['describe']): UploadState {
  const { drafts, sending, queued, failed, isPaused, isWaiting } = uploader.summary();
  const [reason, share] = [uploader.waitsFor(), uploader.share()];
  return {
    drafts,
    left: sending + queued,
    isPaused,
    isWaiting,
    reason: reason && describe(reason),
    percent: share === undefined ? undefined : Math.floor(100 * share),
    failed:
      failed === 0
        ? []
        : uploader.list('failed', MAX_FAILED, 0).map(({ id, name, failure }) => ({ id, name, reason: failure ? describe(failure) : '' })),
    failedCount: failed,
  };
}

const shown = ({ keys, state }: Shortcut) => ({ keys: keys(), state: state() });

function folderState({ id, name, status, counts }: WatchFolder): FolderState {
  return { id, name, state: status.state, reason: 'reason' in status ? status.reason : undefined, left: counts.settling + counts.queued };
}
