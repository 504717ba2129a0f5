import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinedHost } from '#api/desktop/joining.ts';
import { Approval } from '#renderer/desktop/approval.tsx';
import { Confirmation } from '#renderer/desktop/confirmation.tsx';
import { Frame } from '#renderer/desktop/frame.tsx';
import { useJoinState } from '#renderer/desktop/use-joining.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { JoinedWindow } from './joined-window.tsx';

/** The window while another Pixdock server is joined. Its gallery opens in the browser: its pages must not get the bridge (decision 133). */
export function JoinedPage({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation('desktop');
  const host = useJoinedHost(bridge);
  const joining = useJoinState(bridge);
  if (!host) return null;
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
  return <JoinedWindow bridge={bridge} host={host} joining={joining} />;
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
