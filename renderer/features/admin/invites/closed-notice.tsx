import { Alert, Button, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import classes from '../admin.module.css';
import { useChange } from '../use-change.ts';

/** Explains that invites don't work while registration is closed, and offers to enable them; or that none is needed. */
export function ClosedNotice() {
  const { t } = useTranslation('admin');
  const { data: config } = useQuery(configQuery);
  const change = useChange(() => client.call('PATCH /admin/settings', { body: { registration_mode: 'invite' } }), {
    stale: ['settings', 'config', 'audit'],
    done: () => t('saved'),
  });
  if (config?.registration_mode === 'open') {
    return (
      <Text size="sm" mb="md">
        {t('invites.notNeeded')}
      </Text>
    );
  }
  if (config?.registration_mode !== 'closed') return null;
  return (
    <Alert
      color="gray"
      variant="light"
      mb="md"
      icon={<IconInfoCircle size={20} />}
      title={t('invites.closed')}
      classNames={{ title: classes.plain }}
    >
      {t('invites.closedText')}
      <br />
      <Button size="xs" variant="default" mt="sm" loading={change.isPending} onClick={() => change.mutate(undefined)}>
        {t('invites.accept')}
      </Button>
    </Alert>
  );
}
