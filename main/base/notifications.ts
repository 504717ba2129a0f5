import { dialog, type NativeImage, Notification } from 'electron';
import type { Preferences } from '#api/desktop/preferences.ts';

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
  /** Called when the user clicks it. */
  onClick?(): void;
}

/** Shows a system notification. */
export type Notify = (notice: Notice) => void;

/** Shows notifications unless the user turned them off. Where the system has none, failures open a dialog. */
export function setupNotifications(wanted: (type: NoticeType) => boolean): Notify {
  // An unreferenced notification can be garbage-collected and then misses its click.
  const shown = new Set<Notification>();
  return (notice) => {
    const type = notice.type ?? (notice.failure ? undefined : 'uploaded');
    if (type && !wanted(type)) return;
    if (Notification.isSupported()) show(notice);
    else if (notice.failure) void dialog.showMessageBox({ type: 'warning', message: notice.title, detail: notice.body });
  };

  function show({ title, body, icon, onClick }: Notice) {
    const notification = new Notification({ title, body, icon });
    shown.add(notification);
    const forget = () => shown.delete(notification);
    notification.on('click', () => {
      forget();
      onClick?.();
    });
    notification.on('close', forget);
    notification.on('failed', (_event, error) => {
      forget();
      console.error('A notification could not be shown:', error);
    });
    notification.show();
  }
}

/** Names in a notification. */
const MAX_NAMES = 5;

/** Some names, one per line, and how many more there are. */
export function namesInNotice(names: readonly string[], andMore: (count: number) => string): string {
  const shown = names.length > MAX_NAMES + 1 ? names.slice(0, MAX_NAMES) : names;
  return [...shown, ...(shown.length < names.length ? [andMore(names.length - shown.length)] : [])].join('\n');
}

/** Whether the preferences want a type of notification. */
export function wantsNotice(type: NoticeType, preferences: Preferences): boolean {
  if (type === 'failed') return preferences.failureNotifications;
  return type === 'folders' ? preferences.folderNotifications : preferences.notifications;
}
