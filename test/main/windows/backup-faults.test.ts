import { expect, test } from 'vitest';
import { en } from '#main/texts/en.ts';
import { explainBackupFaults } from '#main/windows/backup-faults.ts';

test('notifies of an automatic backup that cannot be restored, and leads to its page', () => {
  const listeners: ((reason: string) => void)[] = [];
  const notices: { title: string; body: string; failure?: true; onClick?(): void }[] = [];
  const opened: string[] = [];
  explainBackupFaults({
    service: { onBackupFault: (listener) => void listeners.push(listener) },
    notify: (notice) => notices.push(notice),
    texts: () => en,
    open: (page) => opened.push(page),
  });
  for (const listener of listeners) listener('It is damaged.');
  expect(notices).toMatchObject([{ title: en.backupFaultTitle, body: 'It is damaged.', failure: true }]);
  notices[0]?.onClick?.();
  expect(opened).toEqual(['/admin/backup']);
});
