import type { Notify } from '#main/base/system/notifications.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { Texts } from '#main/texts/en.ts';

interface Parts {
  service: Pick<ServiceProcess, 'onBackupFault'>;
  notify: Notify;
  texts(): Texts;
  /** Shows the window on a page of the application. */
  open(page: string): void;
}

/** Shows a notification when an automatic backup can't be restored: faults in backups are otherwise found when it is too late. */
export function explainBackupFaults({ service, notify, texts, open }: Parts): void {
  service.onBackupFault((reason) =>
    notify({ title: texts().backupFaultTitle, body: reason, failure: true, onClick: () => open('/admin/backup') }),
  );
}
