import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { BackupSummary } from '#api/admin/backup.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { useChange } from '../use-change.ts';

/** A restore that takes place when the service next starts, which this can trigger. Until then it can be cancelled. */
export function WaitingRestore({ restore }: { restore: BackupSummary | null }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const cancel = useChange(() => client.call('DELETE /admin/restore', {}), {
    stale: ['backup', 'audit'],
    done: () => t('backup.restoreCancelled'),
  });
  const restart = useChange(() => client.call('POST /admin/restore/restart', {}), {});
  useRestarted(restart.isSuccess && restore !== null);
  if (!restore) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      mb="lg"
      role="status"
      title={t('backup.waiting', { date: format.moment(restore.created_at) })}
      classNames={{ title: classes.plain }}
    >
      <Text size="sm">
        {restart.isSuccess
          ? t('backup.restarting')
          : t('backup.waitingText', { count: restore.images, formatted: format.number(restore.images) })}
      </Text>
      <Group mt="sm">
        <Button size="xs" loading={restart.isPending || restart.isSuccess} onClick={() => restart.mutate(undefined)}>
          {t('backup.restart')}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          disabled={restart.isSuccess}
          onClick={() => cancel.mutate(undefined)}
        >
          {t('backup.cancelRestore')}
        </Button>
      </Group>
    </Alert>
  );
}

/**
 * Leads to sign-in once the restored service is up: it ends all sessions, and nothing loaded so far is valid. When the restore was
 * undone, the session is still valid, and the page says why.
 */
function useRestarted(waiting: boolean) {
  const queryClient = useQueryClient();
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['restored'],
    queryFn: ({ signal }) => client.call('GET /auth/session', { signal }),
    enabled: waiting,
    refetchInterval: 1000,
    retry: false,
    gcTime: 0,
  });
  const isSignedIn = data && data.user !== null;
  useEffect(() => {
    if (!waiting || !dataUpdatedAt) return;
    if (isSignedIn) void queryClient.invalidateQueries({ queryKey: ['admin', 'backup'] });
    else location.assign('/admin/backup');
  }, [waiting, isSignedIn, dataUpdatedAt, queryClient]);
}
