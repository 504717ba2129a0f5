import { Alert, Button, Group, Loader, Text, TextInput } from '@mantine/core';
import { IconChevronRight, IconServer2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Wishes } from '#api/desktop/setup.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Approval } from './approval.tsx';
import { Confirmation } from './confirmation.tsx';
import { Frame } from './frame.tsx';
import classes from './pages.module.css';
import { useFoundPixdocks, useJoinState } from './use-joining.ts';

interface Props {
  bridge: DesktopBridge;
  wishes: Wishes;
  /** The address in the link of an invitation. */
  invitedTo: string | undefined;
  onBack: () => void;
}

/** Joins another Pixdock server: found on the network or by its address, then approved there. */
export function JoinStep({ bridge, wishes, invitedTo, onBack }: Props) {
  const { t } = useTranslation('desktop');
  const state = useJoinState(bridge);
  const found = useFoundPixdocks(bridge);
  const [address, setAddress] = useState(invitedTo ?? '');
  useEffect(() => () => void bridge.cancelJoining(), [bridge]);

  const start = (entered: string) => {
    setAddress(entered);
    void bridge.startJoining({ address: entered, ...wishes });
  };
  if (state.state === 'waiting')
    return (
      <Frame key="waiting" title={t('join.waitingTitle')} intro={t('join.waitingText', { host: state.host })}>
        <Approval bridge={bridge} state={state} />
      </Frame>
    );
  if (state.state === 'approved')
    return (
      <Frame key="approved" title={t('join.approvedTitle', { host: state.host })} intro={t('join.approvedText', state)}>
        <Confirmation bridge={bridge} state={state} />
      </Frame>
    );
  // macOS asks for its permission while the search runs.
  const none = bridge.platform === 'darwin' ? 'join.noneOnMac' : 'join.none';
  const busy = state.state === 'asking' || state.state === 'joined';
  return (
    <Frame key="choose" title={t('join.title')} intro={t(invitedTo ? 'join.invited' : 'join.intro')} onBack={onBack}>
      <h2 className={classes.label}>{t('join.found')}</h2>
      {found?.length ? (
        <ul className={classes.choices}>
          {found.map(({ id, name, url }) => (
            <li key={`${id} ${url}`}>
              <button type="button" className={classes.choice} disabled={busy} onClick={() => start(url)}>
                <IconServer2 size={24} stroke={1.5} aria-hidden />
                <span>
                  <strong>{name}</strong>
                  {new URL(url).host}
                </span>
                <IconChevronRight size={18} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <Group gap="sm" mt="xs" wrap="nowrap">
          <Loader size="xs" />
          <Text size="sm" c="dimmed">
            {t(found ? none : 'join.searching')}
          </Text>
        </Group>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start(address);
        }}
      >
        <TextInput
          mt="lg"
          label={t('join.address')}
          description={t('join.addressHint')}
          value={address}
          maxLength={300}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        {state.state === 'failed' && (
          <Alert color="red" mt="md" role="alert">
            {t(`join.problems.${state.problem}`, { detail: state.detail })}
          </Alert>
        )}
        <Button type="submit" size="md" mt="md" fullWidth loading={busy} autoFocus={invitedTo !== undefined}>
          {t('join.connect')}
        </Button>
      </form>
    </Frame>
  );
}
