import type { Notify } from '#main/base/notifications.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { Texts } from '#main/texts/en.ts';

/** Shows a notification when an automatic backup can't be restored: nobody looks at backups until they are needed. */
export function explainBackupFaults(
  service: Pick<ServiceProcess, 'onBackupFault'>,
  notify: Notify,
  texts: () => Texts,
  open: (page: string) => void,
): void {
  service.onBackupFault((reason) =>
    notify({ title: texts().backupFaultTitle, body: reason, failure: true, onClick: () => open('/admin/backup') }),
  );
}
