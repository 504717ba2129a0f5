import type { MenuItemConstructorOptions } from 'electron';
import { CAPTURE_DELAYS, type CaptureDelay, type CaptureMode, type RecordingTarget } from '#api/desktop/capture.ts';
import type { ShortcutState } from '#api/desktop/preferences.ts';
import type { RecordingPhase } from '#api/desktop/recording.ts';
import type { Texts } from '#main/texts/en.ts';

type Items = MenuItemConstructorOptions[];

/** A shortcut as the tray shows it. */
interface ShownShortcut {
  keys: string | null;
  state: ShortcutState;
}

export interface CaptureState {
  shortcuts: { upload: ShownShortcut; capture: ShownShortcut; record: ShownShortcut };
  /** What can be recorded, and where the recording is. */
  recordingTargets: readonly RecordingTarget[];
  recording: RecordingPhase;
  /** What can be captured now. */
  captureModes: readonly CaptureMode[];
  captureDelay: CaptureDelay;
  /** Whether captures are uploaded without being edited or asked about. */
  uploadsAtOnce: boolean;
  /** Number of pinned pictures. */
  pins: number;
  hasCards: boolean;
  /** Whether text can be recognised on this computer: its service does that. */
  readsText: boolean;
}

export interface CaptureActions {
  /** `inverted`: with the key for what the user didn't choose. */
  captureScreen(mode: CaptureMode, inverted: boolean): void;
  setCaptureDelay(seconds: CaptureDelay): void;
  closePins(): void;
  /** Moves the focus into the newest card. */
  focusCards(): void;
  copyScreenText(): void;
  /** Starts a recording, or stops the one that runs. */
  record(target?: RecordingTarget, inverted?: boolean): void;
  steerRecording(what: 'pause' | 'resume' | 'discard'): void;
  showDropWindow(): void;
  uploadClipboard(inverted: boolean): void;
}

/** Uploading the screen or the clipboard, with the shortcuts that work. */
export function captureItems(state: CaptureState, texts: Texts, actions: CaptureActions): Items {
  const { shortcuts } = state;
  return [
    {
      label: captureLabel(state, texts),
      click: (...click) => actions.captureScreen('region', isInverted(click)),
      ...acceleratorOf(shortcuts.capture),
    },
    { label: texts.moreCaptures, submenu: moreCaptures(state, texts, actions) },
    ...recordingItems(state, texts, actions),
    ...(state.readsText ? [{ label: texts.copyScreenText, click: actions.copyScreenText }] : []),
    ...(state.pins > 0 ? [{ label: texts.closePins(state.pins), click: actions.closePins }] : []),
    ...(state.hasCards ? [{ label: texts.showCards, click: actions.focusCards }] : []),
    { label: texts.uploadClipboard, click: (...click) => actions.uploadClipboard(isInverted(click)), ...acceleratorOf(shortcuts.upload) },
  ];
}

/** Starting a recording, or what can be done with the one that runs. */
function recordingItems({ recording, recordingTargets, shortcuts }: CaptureState, texts: Texts, actions: CaptureActions): Items {
  const keys = acceleratorOf(shortcuts.record);
  if (recording === 'idle' && recordingTargets.length === 1)
    return [{ label: texts.recordScreen, click: () => actions.record(recordingTargets[0]), ...keys }];
  if (recording === 'idle') {
    const submenu = recordingTargets.map((target) => ({
      label: texts.recordTargets[target],
      click: () => actions.record(target),
      ...(target === 'region' && keys),
    }));
    return [{ label: texts.record, submenu }];
  }
  const stop = { label: texts.recordStop, click: (...click: Click) => actions.record(undefined, isInverted(click)), ...keys };
  if (recording !== 'recording' && recording !== 'paused') return [{ ...stop, enabled: recording !== 'stopping' }];
  const steered = recording === 'paused' ? 'resume' : 'pause';
  return [
    stop,
    { label: steered === 'pause' ? texts.recordPause : texts.recordResume, click: () => actions.steerRecording(steered) },
    { label: texts.recordDiscard, click: () => actions.steerRecording('discard') },
  ];
}

/** Says “upload” only where that follows at once. */
function captureLabel({ captureDelay, uploadsAtOnce }: CaptureState, texts: Texts): string {
  if (uploadsAtOnce) return captureDelay === 0 ? texts.captureScreen : texts.captureScreenIn(captureDelay);
  return captureDelay === 0 ? texts.captureFirst : texts.captureFirstIn(captureDelay);
}

/** Everything but a region, and the delay. */
function moreCaptures({ captureModes, captureDelay }: CaptureState, texts: Texts, actions: CaptureActions): Items {
  const modes = captureModes.filter((mode) => mode !== 'region');
  return [
    ...modes.map((mode) => ({
      label: texts.captureModes[mode],
      click: (...click: Click) => actions.captureScreen(mode, isInverted(click)),
    })),
    ...(modes.length > 0 ? [{ type: 'separator' } as const] : []),
    ...CAPTURE_DELAYS.map((seconds) => ({
      label: seconds === 0 ? texts.noDelay : texts.delayOf(seconds),
      type: 'radio' as const,
      checked: captureDelay === seconds,
      click: () => actions.setCaptureDelay(seconds),
    })),
  ];
}

type Click = Parameters<NonNullable<MenuItemConstructorOptions['click']>>;

/** Whether the user held Alt. Some panels of Linux don't report keys. */
function isInverted([, , event]: Partial<Click> | []): boolean {
  return event?.altKey === true;
}

/** Only a hint: the menu itself must not register it. */
function acceleratorOf({ keys, state }: ShownShortcut): MenuItemConstructorOptions {
  return keys && (state === 'active' || state === 'unchecked') ? { accelerator: keys, registerAccelerator: false } : {};
}

/** The shortcuts that other programs hold, or that the desktop can't know. */
export function refusedShortcutItems({ shortcuts }: CaptureState, texts: Texts): Items {
  return [shortcuts.upload, shortcuts.capture, shortcuts.record].flatMap(({ keys, state }) => {
    if (keys === null || (state !== 'refused' && state !== 'unknown')) return [];
    return [{ label: state === 'refused' ? texts.shortcutTaken(keys) : texts.shortcutUnknown(keys), enabled: false }];
  });
}

export function dropWindowItem(texts: Texts, actions: CaptureActions): MenuItemConstructorOptions {
  return { label: texts.showDropWindow, click: actions.showDropWindow };
}
