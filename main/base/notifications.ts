import { app, dialog, type NativeImage, Notification } from 'electron';

/** Windows shows notifications only of a program that it knows by name: the `appId` of electron-builder.yml. */
const APP_ID = 'org.pixdock.desktop';

interface Notice {
  title: string;
  body: string;
  icon?: NativeImage;
  /** Something has not worked: shown even to those who want no notifications. */
  failure?: true;
  /** A press on it. */
  onClick?(): void;
}

/** Shows a notice in the system's way. */
export type Notify = (notice: Notice) => void;

/** Notifications, unless the person does not want any. Where the system has none, failures come as a dialog. */
export function setupNotifications(wanted: () => boolean): Notify {
  app.setAppUserModelId(APP_ID);
  // One that nothing refers to can be collected, and then does not hear its press.
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
