import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { LanStatus } from '#api/desktop/lan.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { QrCode } from '#renderer/components/links/qr-code.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { useLanStatus } from './lan.ts';
import classes from './network.module.css';
import { PortDialog } from './port-dialog.tsx';
import { Reach } from './reach.tsx';

interface Props {
  bridge: DesktopBridge;
  /** Id of the element that labels the switch; without one, the switch has its own label. */
  labelledBy?: string;
  /** Turns sharing on or off. */
  share(on: boolean): void;
}

/** The LAN switch with the address, its QR code, and whether another device has reached it. */
export function NetworkSharing({ bridge, labelledBy, share }: Props) {
  const { t } = useTranslation();
  const status = useLanStatus(bridge);
  if (!status) return null;
  return (
    <>
      <Switch
        {...(labelledBy ? { 'aria-labelledby': labelledBy } : { label: t('network.share') })}
        size="md"
        checked={status.on}
        disabled={status.fixed.host}
        onChange={(event) => share(event.currentTarget.checked)}
      />
      {status.fixed.host && <Hint text={t('network.hostFixed')} />}
      {status.problem !== null && <Warning text={t('network.notShared', { reason: status.problem })} />}
      {status.on && <Shared bridge={bridge} status={status} />}
      {!status.on && <Changes bridge={bridge} status={status} />}
    </>
  );
}

function Shared({ bridge, status }: { bridge: DesktopBridge; status: LanStatus }) {
  const { t } = useTranslation();
  const { linkAddress, missing, elsewhere, announced, announceProblem } = status;
  return (
    <>
      {linkAddress !== null && (
        <>
          <div className={classes.address}>
            <code>{linkAddress}</code>
            <CopyButton text={linkAddress} label={t('network.copyAddress')} />
          </div>
          {missing === null && status.reach !== 'noNetwork' && (
            <div className={classes.scan}>
              <QrCode text={linkAddress} label={t('network.code', { address: linkAddress })} />
              <Text size="sm" c="dimmed">
                {t('network.scan')}
              </Text>
            </div>
          )}
        </>
      )}
      {missing !== null && <Warning text={t(/^[\d.]+$/.test(missing) ? 'network.lostAddress' : 'network.lostName', { host: missing })} />}
      {missing === null && <Reach bridge={bridge} status={status} />}
      {elsewhere && <Hint text={t('network.elsewhere')} />}
      {announced !== null && <Hint text={t('network.announced', { host: announced })} />}
      {announceProblem !== null && <Warning text={t('network.notAnnounced', { reason: announceProblem })} />}
      <Changes bridge={bridge} status={status} />
    </>
  );
}

/** Opens the dialogs that change the address or the port of links. */
function Changes({ bridge, status }: { bridge: DesktopBridge; status: LanStatus }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'address' | 'port'>();
  const close = () => setOpen(undefined);
  if (status.linkAddress === null) return null;
  return (
    <>
      <Group gap="xs" mt="sm">
        {status.on && !status.elsewhere && status.choices.length > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => setOpen('address')}>
            {t('network.changeAddress')}
          </Button>
        )}
        {!status.fixed.port && (
          <Button size="compact-sm" variant="default" onClick={() => setOpen('port')}>
            {t('network.changePort')}
          </Button>
        )}
      </Group>
      {status.on && status.fixed.port && <Hint text={t('network.portFixed')} />}
      {open === 'address' && <AddressDialog bridge={bridge} status={status} onClose={close} />}
      {open === 'port' && <PortDialog bridge={bridge} onClose={close} />}
    </>
  );
}

function Hint({ text }: { text: string }) {
  return (
    <Text size="xs" c="dimmed" mt="xs">
      {text}
    </Text>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <Alert color="yellow" mt="sm" p="sm" role="status">
      {text}
    </Alert>
  );
}
