import { Button } from '@mantine/core';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinState } from '#api/desktop/joining.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { HostFacts } from './host-facts.tsx';
import classes from './pages.module.css';

interface Props {
  bridge: DesktopBridge;
  state: Extract<JoinState, { state: 'approved' }>;
}

/** Asks whether the server and account that approved are the ones the user means. */
export function Confirmation({ bridge, state: { url, username } }: Props) {
  const { t } = useTranslation('desktop');
  return (
    <>
      <HostFacts url={url} username={username} />
      <div className={classes.actions}>
        <Button size="md" onClick={() => void bridge.confirmJoining()}>
          {t('join.use')}
        </Button>
        <Button size="md" variant="default" onClick={() => void bridge.cancelJoining()}>
          {t('cancel')}
        </Button>
      </div>
    </>
  );
}
