import { Alert, Button, Group, NumberInput, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { LanStatus } from '#api/desktop/lan.ts';
import { PORTS } from '#api/desktop/listening.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { QrCode } from '#renderer/components/links/qr-code.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { AddressDialog } from './address-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { lanHelpQuery, portChangeQuery, useLanStatus } from './lan.ts';
import classes from './network.module.css';

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
  const { linkAddress, missing, elsewhere, announceProblem } = status;
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
      <NameOffer bridge={bridge} status={status} />
      {announceProblem !== null && <Warning text={t('network.notAnnounced', { reason: announceProblem })} />}
      <Changes bridge={bridge} status={status} />
    </>
  );
}

/** The announced name, and an offer to use it for links while they start with an address, which changes with the network. */
function NameOffer({ bridge, status }: { bridge: DesktopBridge; status: LanStatus }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { announced, choices, linkAddress, elsewhere } = status;
  if (announced === null) return null;
  const isAddress = !elsewhere && choices.some(({ kind, url }) => kind === 'ip' && url === linkAddress);
  if (!isAddress) return <Hint text={t('network.announced', { host: announced })} />;
  return (
    <>
      <Hint text={t('network.nameOffer', { host: announced })} />
      <Button size="compact-sm" variant="light" mt="xs" onClick={() => setOpen(true)}>
        {t('network.useName', { host: announced })}
      </Button>
      {open && <AddressDialog bridge={bridge} status={status} suggested={announced} onClose={() => setOpen(false)} />}
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

/** Chooses another port, with the number of pictures whose links break. */
function PortDialog({ bridge, onClose }: { bridge: DesktopBridge; onClose(): void }) {
  const { t } = useTranslation();
  const { data: facts } = useQuery(portChangeQuery(bridge));
  const [typed, setTyped] = useState<number | string>();
  const port = Number(typed ?? facts?.suggestion ?? 0);
  const change = useMutation({ mutationFn: () => bridge.choosePort(port), onSuccess: onClose });
  const isPossible = Number.isInteger(port) && port >= PORTS.min && port <= PORTS.max && port !== facts?.port;
  return (
    <ChangeDialog
      title={t('network.portTitle')}
      submit={t('network.usePort')}
      dangerous={(facts?.images ?? 0) > 0}
      change={change}
      disabled={!facts || !isPossible}
      onClose={onClose}
    >
      <NumberInput
        label={t('network.port')}
        value={typed ?? facts?.suggestion ?? ''}
        onChange={setTyped}
        min={PORTS.min}
        max={PORTS.max}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=""
      />
      {facts?.images != null && (
        <Text size="sm" role="status">
          {facts.images > 0 ? t('network.portBreaks', { count: facts.images, port: facts.port }) : t('network.portBreaksNone')}
        </Text>
      )}
    </ChangeDialog>
  );
}

/** Whether another device has reached Pixdock; after a while without one, what may be in the way. */
function Reach({ bridge, status: { reach, reachedBy } }: { bridge: DesktopBridge; status: LanStatus }) {
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
