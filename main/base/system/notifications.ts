import { type NativeImage, Notification } from 'electron';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { Hint, PreferenceStore } from '#main/base/preferences.ts';
import { messageBox } from '#main/base/system/message-box.ts';
import type { Texts } from '#main/texts/en.ts';

/** Notifications that the user may still click in the system's list. */
const MAX_KEPT = 50;

/** What the user can turn off separately. */
export type NoticeType = 'uploaded' | 'failed' | 'folders';

interface Notice {
  title: string;
  body: string;
  icon?: NativeImage;
  /** A failure, shown even when notifications are turned off, unless its type is. */
  failure?: true;
  /** Default: shown like `uploaded`. */
  type?: NoticeType;
  /** Shown until the user has seen it once. */
  hint?: Hint;
  /** Called when the user clicks it. */
  onClick?(): void;
  /** A button, where the system shows some; elsewhere, a click asks. */
  action?: { label: string; run(): void; orOpen: string };
}

/** Shows a system notification. */
export type Notify = (notice: Notice) => void;

interface Options {
  preferences: Pick<PreferenceStore, 'get' | 'wasSeen' | 'markSeen'>;
  texts(): Texts;
}

/** Shows notifications unless the user turned them off. Where the system shows none, failures open a message box. */
export function setupNotifications({ preferences, texts }: Options, platform = process.platform): Notify {
  const showBox = createFailureBox(texts);
  // An unreferenced notification can be garbage-collected and then misses its click.
  const kept = new Set<Notification>();
  return (notice) => {
    const type = notice.type ?? (notice.failure ? undefined : 'uploaded');
    if (type && !wantsNotice(type, preferences.get())) return;
    if (notice.hint && preferences.wasSeen(notice.hint)) return;
    if (Notification.isSupported()) show(notice);
    else if (notice.failure) showInstead(notice);
  };

  function show(notice: Notice) {
    const { title, body, icon, hint, action, onClick } = notice;
    const hasButtons = platform !== 'linux'; // https://www.electronjs.org/docs/latest/api/structures/notification-action
    const notification = new Notification({
      title,
      body,
      icon,
      ...(action && hasButtons && { actions: [{ type: 'button', text: action.label }] }),
    });
    const forget = () => kept.delete(notification);
    notification.on('click', () => {
      forget();
      if (action && !hasButtons) void askInstead(notice, texts());
      else onClick?.();
    });
    notification.on('action', () => {
      forget();
      action?.run();
    });
    notification.on('show', () => {
      if (hint) preferences.markSeen(hint);
    });
    // Windows moves it to the notification centre, where it can still be clicked.
    notification.on('close', ({ reason }) => reason !== 'timedOut' && forget());
    notification.on('failed', (_event, error) => {
      forget();
      console.error('Couldn’t show a notification:', error);
      if (notice.failure) showInstead(notice);
    });
    kept.add(notification);
    for (const old of [...kept].slice(0, -MAX_KEPT)) kept.delete(old);
    notification.show();
  }

  function showInstead(notice: Notice) {
    showBox(notice);
    if (notice.hint) preferences.markSeen(notice.hint);
  }
}

/** Offers in a message box what the button of a notification would do. */
async function askInstead({ title, body, action, onClick }: Notice, { notNow }: Texts) {
  if (!action) return;
  const button = await messageBox({
    message: title,
    detail: body,
    buttons: [action.label, action.orOpen, notNow],
    defaultId: 0,
    cancelId: 2,
  });
  if (button === 0) action.run();
  if (button === 1) onClick?.();
}

/** Names in a notification. */
const MAX_NAMES = 5;

/** Some names, one per line, and how many more there are. */
export function namesInNotice(names: readonly string[], andMore: (count: number) => string): string {
  const shown = names.length > MAX_NAMES + 1 ? names.slice(0, MAX_NAMES) : names;
  return [...shown, ...(shown.length < names.length ? [andMore(names.length - shown.length)] : [])].join('\n');
}

/** Whether the preferences want a type of notification. */
function wantsNotice(type: NoticeType, preferences: Preferences): boolean {
  if (type === 'failed') return preferences.failureNotifications;
  return type === 'folders' ? preferences.folderNotifications : preferences.notifications;
}

/** Failures shown together; the log has earlier ones. */
const MAX_TOGETHER = 10;

/** A failure that the user should see. */
interface Failure {
  title: string;
  body: string;
  /** Called when the user wants to see more. */
  onClick?(): void;
}

/** Shows failures in message boxes: one at a time, and those that happen meanwhile together in the next. */
function createFailureBox(texts: () => Texts): (failure: Failure) => void {
  let waiting: Failure[] = [];
  let isOpen = false;

  async function showAll() {
    isOpen = true;
    while (waiting.length > 0) await show(waiting.splice(0), texts());
    isOpen = false;
  }

  return (failure) => {
    waiting = [...waiting, failure].slice(-MAX_TOGETHER);
    if (!isOpen) void showAll();
  };
}

async function show(failures: readonly Failure[], { closeBox, showMore }: Texts) {
  const [last] = failures.slice(-1);
  if (!last) return;
  const [only] = failures.length === 1 ? failures : [];
  const onClick = failures.findLast((failure) => failure.onClick)?.onClick;
  const button = await messageBox({
    type: 'warning',
    message: last.title,
    detail: only ? only.body : failures.map(({ title, body }) => `${title}\n${body}`).join('\n\n'),
    buttons: [closeBox, ...(onClick ? [showMore] : [])],
    defaultId: 0,
    cancelId: 0,
  });
  if (button === 1) onClick?.();
}
