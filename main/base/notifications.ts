import { app, dialog, type NativeImage, Notification } from 'electron';

/** Windows shows notifications only from registered apps: this is the `appId` of electron-builder.yml. */
const APP_ID = 'org.pixdock.desktop';

interface Notice {
  title: string;
  body: string;
  icon?: NativeImage;
  /** A failure, shown even when notifications are turned off. */
  failure?: true;
  /** Called when the user clicks it. */
  onClick?(): void;
}

/** Shows a system notification. */
export type Notify = (notice: Notice) => void;

/** Shows notifications unless the user turned them off. Where the system has none, failures open a dialog. */
export function setupNotifications(wanted: () => boolean): Notify {
  app.setAppUserModelId(APP_ID);
  // An unreferenced notification can be garbage-collected and then misses its click.
  const shown = new Set<Notification>();
  return (notice) => {
    if (!notice.failure && !wanted()) return;
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
