import { EventEmitter, once } from 'node:events';
import { type DesktopCapturer, powerMonitor, powerSaveBlocker, screen } from 'electron';
import { getLimits } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import type { RecordingTarget } from '#api/desktop/capture.ts';
import type { ClipboardResponse, RecordRequest } from '#api/desktop/handover.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import { allowsVideos } from '#api/formats.ts';
import { systemClock } from '#main/base/clock.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import { describe, describeFailure, Reason } from '#main/base/reasons.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import { captureName } from '#main/capture/capture-name.ts';
import type { ScreenPermission } from '#main/capture/screen/permission.ts';
import type { Ipc } from '#main/ipc.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import { en, type Texts } from '#main/texts/en.ts';
import type { Arrivals } from '#main/uploader/arrivals.ts';
import type { Spool } from '#main/uploader/spool.ts';
import type { Ended, Uploader } from '#main/uploader/uploader.ts';
import { createRecorder, type Recorder, type RecordingLimits } from './recorder.ts';
import { beginFile, recover, removeFile } from './recording-file.ts';
import { setupStage } from './stage.ts';

const LIMITS_TIMEOUT_MS = 3_000;

interface Options {
  ipc: Ipc;
  paths: AppPaths;
  preferences(): Preferences;
  texts(): Texts;
  notify: Notify;
  account: Account;
  uploader: Uploader;
  arrivals: Arrivals;
  spool: Spool;
  permission: ScreenPermission;
  desktopCapturer: Pick<DesktopCapturer, 'getSources'>;
  wayland: boolean;
}

/** Recordings of the screen, for the tray, the shortcut and the command line. */
export interface Recordings extends Pick<Recorder, 'phase' | 'onChange' | 'pause' | 'resume' | 'discard' | 'close'> {
  /** What can be recorded here; under Wayland, the desktop asks. */
  targets: readonly RecordingTarget[];
  /** Starts, or stops what runs. Failures are shown. */
  toggle(target?: RecordingTarget, inverted?: boolean): Promise<void>;
  /** The same for another program of this user, which waits for the link where the recording is uploaded at once. */
  record(request: RecordRequest): Promise<ClipboardResponse>;
}

export function setupRecording({
  ipc,
  paths,
  preferences,
  texts,
  notify,
  account,
  uploader,
  arrivals,
  spool,
  permission,
  ...rest
}: Options): Recordings {
  const targets: readonly RecordingTarget[] = rest.wayland ? ['screen'] : ['region', 'window', 'screen'];

  /** Reports every failure: a key that seems to do nothing is the worst outcome. */
  function tell(error: unknown) {
    console.error('A recording didn’t start, or has ended:', error);
    if (error instanceof Reason && error.text === 'screenNotAllowed') return void permission.explain().catch(tell);
    notify({ title: texts().recording, body: describe(error, texts()), failure: true });
  }

  const recorder: Recorder = createRecorder({
    stage: setupStage({ ipc, paths, texts, ...rest, recorder: () => recorder }),
    clock: systemClock,
    preferences,
    canRecordSound: process.platform !== 'linux',
    tell,
    async limits() {
      if (!permission.isGranted()) throw new Reason('screenNotAllowed');
      return limitsOf(account);
    },
    async begin() {
      const name = captureName('recording', new Date(), 'mp4');
      const path = await spool.newFile(name);
      const file = await beginFile(path);
      return { file, list: () => uploader.beginRecording({ path, name, spooled: true }) };
    },
    async keep(id, size, inverted) {
      uploader.endRecording(id, size);
      await arrivals.admit(id, 'recording', inverted);
    },
    async forget(path, id) {
      if (id !== undefined) {
        uploader.endRecording(id, 0);
        await uploader.discardDraft(id);
      }
      await removeFile(path);
    },
  });

  ipc.handle({
    filmReady: () => void recorder.ready(),
    appendFilm: recorder.append,
    async keepFilmPoster(bytes) {
      await recorder.keepPoster(bytes);
      return undefined;
    },
    async filmEnded(problem) {
      await recorder.filmEnded(problem);
      return undefined;
    },
    async steerRecording(what) {
      if (what === 'stop') recorder.stop();
      else await recorder[what]();
      return undefined;
    },
  });

  powerMonitor.on('suspend', () => recorder.stop({ reason: 'recordingAsleep' }));
  powerMonitor.on('lock-screen', () => recorder.stop({ reason: 'recordingAsleep' }));
  const stopFor = (changed: { id: number }) => {
    const chosen = recorder.chosen();
    if (chosen && (chosen.display ?? String(changed.id)) === String(changed.id)) recorder.stop({ reason: 'recordingDisplayChanged' });
  };
  screen.on('display-removed', (_event, display) => stopFor(display));
  screen.on('display-metrics-changed', (_event, display, changed) => {
    if (changed.some((what) => what !== 'workArea')) stopFor(display);
  });

  let blocker: number | undefined;
  recorder.onChange(() => {
    const isFilming = recorder.phase() === 'recording';
    if (isFilming) blocker ??= powerSaveBlocker.start('prevent-display-sleep');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  });

  recoverAll({ uploader, arrivals, notify, texts }).catch((error: unknown) =>
    console.error('Couldn’t look for recordings of an earlier run:', error),
  );

  const toggle = (target: RecordingTarget = 'region', inverted = false) =>
    recorder.toggle(targets.includes(target) ? target : 'screen', inverted);
  const none = { ok: true as const, uploaded: [], failed: [], copied: false };
  /** By the journal's ids of uploads that have ended. */
  const uploads = new EventEmitter<Record<string, [Ended]>>();
  uploader.onEnded((ended) => void uploads.emit(ended.item.id, ended));

  async function toggleFor({ target }: RecordRequest): Promise<ClipboardResponse> {
    const isStart = recorder.phase() === 'idle';
    const draft = recorder.ended();
    await toggle(target);
    if (isStart) return recorder.phase() === 'idle' ? { ...none, cancelled: true } : { ...none, recording: 'started' };
    const id = await draft;
    if (id === undefined) return { ...none, cancelled: true };
    if (uploader.draft(id)) return { ...none, recording: 'draft' };
    const [{ item, image }] = (await once(uploads, id)) as [Ended];
    const failed = item.failure ? [{ name: item.name, message: describeFailure(item.failure, en) }] : [];
    return { ...none, uploaded: image ? [image] : [], failed };
  }

  return {
    ...recorder,
    targets,
    toggle: (target, inverted) => toggle(target, inverted).catch(tell),
    record: (request) =>
      toggleFor(request).catch((error: unknown) => {
        tell(error);
        return { ok: false, message: describe(error, en) };
      }),
  };
}

/** What the account takes; unlimited while it can't be asked. @throws Reason `recordingNoVideos` when it takes no videos */
async function limitsOf(account: Account): Promise<RecordingLimits> {
  if (account.state() !== 'ready') return { seconds: 0, bytes: 0 };
  try {
    const limits = await asAccount(account, ({ url, headers }) =>
      createClient({ baseUrl: url }).call(getLimits, { headers, signal: AbortSignal.timeout(LIMITS_TIMEOUT_MS) }),
    );
    if (!allowsVideos(limits.allowed_exts)) throw new Reason('recordingNoVideos');
    return { seconds: limits.max_video_seconds, bytes: limits.max_video_bytes };
  } catch (error) {
    if (error instanceof Reason) throw error;
    console.warn('Couldn’t find out how long a recording may be:', error);
    return { seconds: 0, bytes: 0 };
  }
}

/** Makes drafts of the recordings that an earlier run couldn't end. */
async function recoverAll({ uploader, arrivals, notify, texts }: Pick<Options, 'uploader' | 'arrivals' | 'notify' | 'texts'>) {
  for (const { id, path } of uploader.recordings()) {
    const size = await recover(path);
    uploader.endRecording(id, size);
    if (size > 0)
      notify({ title: texts().recordingRecovered, body: texts().recordingRecoveredDetail, onClick: () => arrivals.announce([id], 'edit') });
    else {
      await uploader.discardDraft(id);
      await removeFile(path);
    }
  }
}
