import { Button, Loader, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinState } from '#api/desktop/joining.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './pages.module.css';

interface Props {
  bridge: DesktopBridge;
  state: Extract<JoinState, { state: 'waiting' }>;
}

/** Shows the code to compare, and waits for the approval on the host's page. */
export function Approval({ bridge, state: { code, verifyUrl } }: Props) {
  const { t } = useTranslation('desktop');
  return (
    <>
      <p className={classes.code}>{code}</p>
      <Button size="md" fullWidth rightSection={<IconExternalLink size={18} aria-hidden />} onClick={() => void bridge.openApproval()}>
        {t('join.openPage')}
      </Button>
      <Text size="sm" c="dimmed" mt="sm" className={classes.path ?? ''}>
        {t('join.elsewhere', { address: verifyUrl.replace(/#.*$/, '') })}
      </Text>
      <div className={classes.waiting} role="status">
        <Loader size="xs" />
        {t('join.waiting')}
      </div>
      <Button variant="subtle" fullWidth mt="md" onClick={() => void bridge.cancelJoining()}>
        {t('cancel')}
      </Button>
    </>
  );
}
