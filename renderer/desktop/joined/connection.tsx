import { Alert, Button } from '@mantine/core';
import { IconClock, IconPlugConnectedX } from '@tabler/icons-react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinedHost, JoinState } from '#api/desktop/joining.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './joined.module.css';

interface Props {
  bridge: DesktopBridge;
  host: JoinedHost;
  joining: JoinState;
}

const TITLES = { waiting: 'joined.waitingTitle', blocked: 'joined.blockedTitle', revoked: 'joined.revokedTitle' } as const;

/** Says why uploads wait, while they do, on every page of the window. */
export function ConnectionNotice({ bridge, host: { state, name }, joining }: Props) {
  const { t } = useTranslation('desktop');
  if (state === 'ready') return null;
  const isRevoked = state === 'revoked';
  return (
    <div className={classes.notice}>
      <Alert
        color={isRevoked ? 'red' : 'yellow'}
        role={isRevoked ? 'alert' : 'status'}
        icon={isRevoked ? <IconPlugConnectedX size={20} aria-hidden /> : <IconClock size={20} aria-hidden />}
        title={t(TITLES[state], { name })}
        classNames={{ title: classes.noticeTitle ?? '', message: classes.noticeText ?? '' }}
      >
        {t(`joined.${state}`)}
        {joining.state === 'failed' && <p role="alert">{t(`join.problems.${joining.problem}`, { detail: joining.detail })}</p>}
        {isRevoked && (
          <div>
            <Button size="xs" mt="sm" loading={joining.state === 'asking'} onClick={() => void bridge.connectAgain()}>
              {t('joined.connectAgain')}
            </Button>
          </div>
        )}
      </Alert>
    </div>
  );
}
