import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '#renderer/service/client.ts';
import { useConnectionLost } from '#renderer/service/connection.ts';
import classes from './shell.module.css';

/** Milliseconds between attempts to reach the service. */
const RETRY_EVERY = 3000;

/** Shows that the service can't be reached, and retries until it is back. */
export function ConnectionBanner() {
  const lost = useConnectionLost();
  return lost ? <Lost /> : null;
}

function Lost() {
  const { t } = useTranslation();
  const { refetch } = useQuery({
    queryKey: ['heartbeat'],
    queryFn: ({ signal }) => client.call('GET /auth/session', { signal }),
    refetchInterval: RETRY_EVERY,
    retry: false,
    gcTime: 0,
  });
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={20} aria-hidden />
      <span>
        <strong>{t('connection.lost')}</strong> {t('connection.trying')}
      </span>
      <Button size="xs" variant="white" color="dark" onClick={() => refetch()}>
        {t('connection.retry')}
      </Button>
    </div>
  );
}
