import { Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinedHost } from '#api/desktop/joining.ts';
import { HostFacts } from '#renderer/desktop/host-facts.tsx';
import { ComputerSettings } from '#renderer/features/settings/computer/computer-page.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from './joined.module.css';

/** The settings of this computer, and its connection to the server. */
export function JoinedSettings({ bridge, host: { url, username, encrypted, state } }: { bridge: DesktopBridge; host: JoinedHost }) {
  const { t } = useTranslation('desktop');
  const { t: tApp } = useTranslation();
  return (
    <div className={classes.settings}>
      <Title order={1}>{tApp('nav.settings')}</Title>
      <Setting title={t('joined.server')} hint={t('joined.serverHint', { username })}>
        {() => (
          <>
            <HostFacts url={url} username={username} />
            {!encrypted && state !== 'revoked' && (
              <Text size="sm" c="dimmed" mt="sm">
                {t('joined.plain')}
              </Text>
            )}
            <Button mt="md" variant="default" onClick={() => void bridge.leaveHost()}>
              {t('joined.leave')}
            </Button>
          </>
        )}
      </Setting>
      <ComputerSettings bridge={bridge} linkAddress={url} />
    </div>
  );
}
