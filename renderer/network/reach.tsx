import { Alert, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { LanStatus } from '#api/desktop/lan.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { lanHelpQuery } from './lan.ts';
import classes from './network.module.css';

/** Whether another device has reached Pixdock; after a while without one, what may be in the way. */
export function Reach({ bridge, status: { reach, reachedBy } }: { bridge: DesktopBridge; status: LanStatus }) {
  const { t } = useTranslation();
  if (reach === 'off') return null;
  if (reach === 'unreached') return <Unreached bridge={bridge} />;
  const isReached = reach === 'reached';
  return (
    <div className={classes.reach} data-reach={reach} role="status">
      {isReached ? <IconCircleCheck size={18} /> : <IconCircleDashed size={18} />}
      {isReached ? t('network.reached', { by: reachedBy ?? '' }) : t(`network.${reach}`)}
    </div>
  );
}

function Unreached({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { data: help } = useQuery(lanHelpQuery(bridge));
  const commands = help?.commands.join('\n');
  return (
    <Alert color="yellow" p="sm" role="status">
      <Text size="sm" fw={600}>
        {t('network.unreached')}
      </Text>
      <Text size="sm" mt={4}>
        {t('network.unreachedHint')}
      </Text>
      {help?.profile && (
        <Text size="sm" mt="xs">
          {t(`network.${help.profile}Profile`)}
        </Text>
      )}
      {help?.firewall && (
        <Text size="sm" mt="xs">
          {t(help.firewall.active ? 'network.firewallOn' : 'network.firewallOff', { name: help.firewall.name })}
        </Text>
      )}
      {commands && (
        <>
          <div className={classes.commandLine}>
            <Text size="sm">{t('network.commands')}</Text>
            <CopyButton text={commands} label={t('network.copyCommands')} />
          </div>
          <pre className={classes.commands}>{commands}</pre>
        </>
      )}
    </Alert>
  );
}
