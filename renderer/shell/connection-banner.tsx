import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { reconnect, useConnectionLost } from '#renderer/service/connection.ts';
import classes from './shell.module.css';

/** Shows that the service can't be reached, until it is back. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const lost = useConnectionLost();
  if (!lost) return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={20} aria-hidden />
      <span>
        <strong>{t('connection.lost')}</strong> {t('connection.trying')}
      </span>
      <Button size="xs" variant="white" color="dark" onClick={() => void reconnect()}>
        {t('connection.retry')}
      </Button>
    </div>
  );
}
