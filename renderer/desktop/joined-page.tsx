import { Alert, Button, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinedHost } from '#api/desktop/joining.ts';
import { DesktopUploadsPage } from '#renderer/features/desktop-uploads/uploads-page.tsx';
import { FoldersPage } from '#renderer/features/folders/folders-page.tsx';
import { ComputerSettings } from '#renderer/features/settings/computer/computer-page.tsx';
import { shortcutLabel } from '#renderer/platform/accelerator.ts';
import { Approval } from './approval.tsx';
import { Confirmation } from './confirmation.tsx';
import { Frame } from './frame.tsx';
import { HostFacts } from './host-facts.tsx';
import classes from './pages.module.css';
import { useJoinState } from './use-joining.ts';

type Part = 'uploads' | 'folders' | 'settings';

const TITLES = {
  ready: 'joined.title',
  waiting: 'joined.waitingTitle',
  blocked: 'joined.blockedTitle',
  revoked: 'joined.revokedTitle',
} as const;

/** The window while another Pixdock server is joined. Its gallery opens in the browser: its pages must not get the bridge. */
export function JoinedPage({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation('desktop');
  const host = useJoinedHost(bridge);
  const joining = useJoinState(bridge);
  const [part, setPart] = useState<Part>();
  if (!host) return null;
  const { name, url, username, state, encrypted } = host;
  if (joining.state === 'waiting')
    return (
      <Frame key="waiting" title={t('join.waitingTitle')} intro={t('join.waitingText', { host: joining.host })}>
        <Approval bridge={bridge} state={joining} />
      </Frame>
    );
  if (joining.state === 'approved')
    return (
      <Frame key="approved" title={t('join.approvedTitle', { host: joining.host })} intro={t('join.approvedText', joining)}>
        <Confirmation bridge={bridge} state={joining} />
      </Frame>
    );
  if (part)
    return (
      <PartPage onBack={() => setPart(undefined)}>
        {part === 'uploads' && <DesktopUploadsPage />}
        {part === 'folders' && <FoldersPage />}
        {part === 'settings' && <Settings bridge={bridge} address={url} />}
      </PartPage>
    );
  return (
    <Frame key="joined" title={t(TITLES[state], { name })} intro={t(`joined.${state}`, { username })}>
      {joining.state === 'failed' && (
        <Alert color="red" mt="md" role="alert">
          {t(`join.problems.${joining.problem}`, { detail: joining.detail })}
        </Alert>
      )}
      <HostFacts url={url} username={username} />
      {state === 'ready' && <FirstUpload bridge={bridge} />}
      <div className={classes.actions}>
        {state === 'revoked' && (
          <Button loading={joining.state === 'asking'} onClick={() => void bridge.connectAgain()}>
            {t('joined.connectAgain')}
          </Button>
        )}
        <Button
          variant={state === 'revoked' ? 'default' : 'filled'}
          rightSection={<IconExternalLink size={18} aria-hidden />}
          onClick={() => void bridge.openHost()}
        >
          {t('joined.open')}
        </Button>
        <Button variant="default" onClick={() => setPart('uploads')}>
          {t('joined.uploads')}
        </Button>
        <Button variant="default" onClick={() => setPart('folders')}>
          {t('joined.folders')}
        </Button>
        <Button variant="default" onClick={() => setPart('settings')}>
          {t('joined.settings')}
        </Button>
        <Button variant="subtle" onClick={() => void bridge.leaveHost()}>
          {t('joined.leave')}
        </Button>
      </div>
      {!encrypted && state !== 'revoked' && (
        <Text size="sm" c="dimmed" mt="lg">
          {t('joined.plain')}
        </Text>
      )}
    </Frame>
  );
}

/** A part of the app, as the web application shows it where this computer hosts. */
function PartPage({ onBack, children }: { onBack: () => void; children: ReactNode }) {
  const { t } = useTranslation('desktop');
  return (
    <main>
      <Button variant="subtle" size="compact-sm" m="md" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
        {t('back')}
      </Button>
      {children}
    </main>
  );
}

function Settings({ bridge, address }: { bridge: DesktopBridge; address: string }) {
  const { t } = useTranslation('desktop');
  return (
    <div className={classes.settings}>
      <Title order={1}>{t('joined.settings')}</Title>
      <ComputerSettings bridge={bridge} linkAddress={address} />
    </div>
  );
}

function FirstUpload({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation('desktop');
  const [keys, setKeys] = useState<string>();
  useEffect(() => {
    void bridge.getPreferences().then(({ shortcut, shortcutState }) => {
      if (shortcut && shortcutState === 'active') setKeys(shortcutLabel(shortcut, bridge.platform));
    });
  }, [bridge]);
  return (
    <section className={classes.how}>
      <h2>{t('joined.howTitle')}</h2>
      <Text size="sm" c="dimmed" mt={4}>
        {keys ? t('joined.how', { keys }) : t('joined.howTray')}
      </Text>
    </section>
  );
}

function useJoinedHost(bridge: DesktopBridge): JoinedHost | undefined {
  const [host, setHost] = useState<JoinedHost>();
  useEffect(() => {
    let isLatest = true;
    const end = bridge.onJoinedHost((next) => {
      isLatest = false;
      setHost(next);
    });
    void bridge.getJoinedHost().then((first) => isLatest && setHost(first));
    return () => {
      isLatest = false;
      end();
    };
  }, [bridge]);
  return host;
}
