import { Alert, Button, Progress, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { BackupDrill, getBackups } from '#api/admin/backup.ts';
import type { RouteData } from '#api/contract.ts';
import classes from '#renderer/features/admin/admin.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { AdminPage, Loaded, Part } from '../page.tsx';
import { useChange } from '../use-change.ts';
import { BackupFiles } from './backup-files.tsx';
import { LastRestore } from './last-restore.tsx';
import { RestoreUpload } from './restore.tsx';
import { Schedule } from './schedule.tsx';
import { WaitingRestore } from './waiting-restore.tsx';

type Backups = RouteData<typeof getBackups>;

export function BackupPage() {
  const { t } = useTranslation('admin');
  const query = useQuery({
    queryKey: ['admin', 'backup'],
    queryFn: ({ signal }) => client.call('GET /admin/backup', { signal }),
  });
  const create = useChange(() => client.call('POST /admin/backup', {}), {
    stale: ['backup', 'audit', 'space'],
    done: () => t('backup.made'),
  });
  const busy = create.isPending || !!query.data?.running;
  return (
    <AdminPage
      title={t('sections.backup')}
      intro={t('backup.intro')}
      action={
        <Button leftSection={<IconArchive size={18} />} loading={busy} onClick={() => create.mutate(undefined)}>
          {t('backup.create')}
        </Button>
      }
    >
      <Loaded query={query}>
        {(backups) => (
          <>
            <Running backups={backups} />
            <LastRestore restored={backups.restored} failure={backups.restore_failure} />
            <WaitingRestore restore={backups.restore} />
            <Part title={t('backup.files')} hint={t('backup.filesHint')}>
              <BackupFiles files={backups.files} />
            </Part>
            <Part title={t('backup.schedule')} hint={t('backup.scheduleHint')}>
              <Drill drill={backups.drill} />
              <Schedule saved={backups.schedule} snapshots={backups.snapshots} />
            </Part>
            <Part title={t('backup.restore')} hint={t('backup.restoreHint')}>
              <RestoreUpload />
            </Part>
          </>
        )}
      </Loaded>
    </AdminPage>
  );
}

function Running({ backups: { running } }: { backups: Backups }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  if (!running) return null;
  const share = running.total_bytes ? Math.min(1, running.bytes / running.total_bytes) : 0;
  return (
    <div role="status">
      <Text size="sm" mb={6}>
        {t('backup.running', { done: format.bytes(running.bytes), total: format.bytes(running.total_bytes) })}
      </Text>
      <Progress value={share * 100} mb="lg" aria-label={t('backup.create')} />
    </div>
  );
}

/** Whether the latest automatic backup can be restored, as its trial showed. */
function Drill({ drill }: { drill: BackupDrill | null }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  if (!drill) return null;
  const passed = drill.fault === null;
  const facts = {
    date: format.moment(drill.finished_at),
    duration: format.duration(drill.seconds),
    formatted: format.number(drill.blobs),
    size: format.bytes(drill.bytes),
    reason: drill.fault ?? '',
  };
  return (
    <Alert
      color={passed ? 'teal' : 'red'}
      variant="light"
      role={passed ? 'status' : 'alert'}
      title={t(passed ? 'drill.passed' : 'drill.failed')}
      classNames={{ title: classes.plain }}
    >
      <Text size="sm">{t(passed ? 'drill.passedText' : 'drill.failedText', facts)}</Text>
    </Alert>
  );
}
