import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import type { BackupSchedule, RestoreFailure, RestoreReport } from '#api/admin/backup.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { useChange } from '../use-change.ts';

interface Props {
  restored: RestoreReport | null;
  failure: RestoreFailure | null;
}

/** What the last restore brought back, or why it was undone, until an admin dismisses it. */
export function LastRestore({ restored, failure }: Props) {
  return (
    <>
      {failure && <Failed failure={failure} />}
      {restored && <Restored report={restored} />}
    </>
  );
}

function Failed({ failure }: { failure: RestoreFailure }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <Alert
      color="red"
      variant="light"
      mb="lg"
      role="alert"
      title={t('restored.failed', { date: format.moment(failure.created_at) })}
      classNames={{ title: classes.plain }}
    >
      <Text size="sm">{t('restored.failedText')}</Text>
      <Text size="sm" mt={6}>
        {t('restored.reason', { reason: failure.reason })}
      </Text>
      <Dismiss />
    </Alert>
  );
}

function Restored({ report }: { report: RestoreReport }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const counted = (key: 'pictures' | 'albums' | 'users' | 'missing' | 'tokens' | 'invites' | 'requests', count: number) =>
    t(`restored.${key}`, { count, formatted: format.number(count) });
  const revoked = joinSentences(
    report.tokens_revoked ? counted('tokens', report.tokens_revoked) : '',
    report.invites_revoked ? counted('invites', report.invites_revoked) : '',
  );
  return (
    <Alert
      color="teal"
      variant="light"
      mb="lg"
      role="status"
      title={t('restored.title', { date: format.moment(report.created_at) })}
      classNames={{ title: classes.plain }}
    >
      <Stack gap={6}>
        <Text size="sm">
          {[counted('pictures', report.images), counted('albums', report.albums), counted('users', report.users)].join(' · ')}
        </Text>
        {report.missing > 0 && <Text size="sm">{counted('missing', report.missing)}</Text>}
        <Text size="sm">{joinSentences(t('restored.accounts'), revoked)}</Text>
        {report.requests_paused > 0 && <Text size="sm">{counted('requests', report.requests_paused)}</Text>}
        <Paused report={report} />
        <Text size="sm">{t('restored.kept')}</Text>
      </Stack>
      <Dismiss />
    </Alert>
  );
}

/** What stays off until it is turned on here. */
function Paused({ report: { schedule_paused: schedule, webhooks_paused: webhooks } }: { report: RestoreReport }) {
  const { t } = useTranslation('admin');
  const options = { stale: ['backup', 'webhooks', 'audit'], done: () => t('restored.turnedOn') };
  const startSchedule = useChange((body: { schedule: BackupSchedule }) => client.call('PUT /admin/backup/schedule', { body }), options);
  const startWebhook = useChange(
    (id: number) => client.call('PATCH /admin/webhooks/:id', { params: { id }, body: { enabled: true } }),
    options,
  );
  if (!schedule && webhooks.length === 0) return null;
  return (
    <List size="sm" spacing={6} listStyleType="none">
      {schedule && (
        <List.Item>
          <Group gap="sm">
            <span>{t('restored.schedule', { folder: schedule.folder })}</span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('restored.turnOnSchedule')}
              loading={startSchedule.isPending}
              onClick={() => startSchedule.mutate({ schedule })}
            >
              {t('restored.turnOn')}
            </Button>
          </Group>
        </List.Item>
      )}
      {webhooks.map(({ id, name, url }) => (
        <List.Item key={id}>
          <Group gap="sm">
            <span>{t('restored.webhook', { name, url })}</span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('restored.turnOnWebhook', { name })}
              loading={startWebhook.isPending && startWebhook.variables === id}
              onClick={() => startWebhook.mutate(id)}
            >
              {t('restored.turnOn')}
            </Button>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

function Dismiss() {
  const { t } = useTranslation('admin');
  const dismiss = useChange(() => client.call('DELETE /admin/restore/report', {}), { stale: ['backup'] });
  return (
    <Button size="xs" variant="default" mt="sm" loading={dismiss.isPending} onClick={() => dismiss.mutate(undefined)}>
      {t('restored.dismiss')}
    </Button>
  );
}
