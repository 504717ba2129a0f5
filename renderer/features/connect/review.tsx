import { IconDeviceDesktop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DeviceRequest } from '#api/auth/devices.ts';
import { Approval, type Decision } from '#renderer/components/approval.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './connect.module.css';

interface Props {
  request: DeviceRequest;
  onDecided: (decision: Decision) => void;
  /** Called once the request may have expired. */
  onExpired: () => void;
}

/** The clocks of browser and server differ; a page that is ahead must not ask again and again. */
const MIN_WAIT_MS = 30_000;

/** Shows which device asks for what, and takes the decision. */
export function Review({
  request: { name, scope, user_code, address, same_network, created_at, expires_at },
  onDecided,
  onExpired,
}: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const choice = useMutation({
    mutationFn: (decision: Decision) => client.call('POST /device/decision', { body: { user_code, decision } }),
    onSuccess: (_data, decision) => {
      void queryClient.invalidateQueries({ queryKey: ['tokens'] });
      onDecided(decision);
    },
  });
  useEffect(() => {
    const timer = setTimeout(onExpired, Math.max(Date.parse(expires_at) - Date.now(), MIN_WAIT_MS));
    return () => clearTimeout(timer);
  }, [expires_at, onExpired]);
  return (
    <section className={classes.review}>
      <div className={classes.art} aria-hidden="true">
        <IconDeviceDesktop size={36} stroke={1.4} />
      </div>
      <h1>{t(scope === 'full' ? 'connect.questionAll' : 'connect.question', { name })}</h1>
      {!same_network && <ErrorNotice explanation={{ what: t('connect.elsewhere'), next: t('connect.elsewhereText', { address }) }} />}
      <p>{t('connect.compare')}</p>
      <Approval
        code={user_code}
        facts={[
          [t('connect.account'), session?.user?.username],
          [t('connect.address'), address],
          [t('connect.access'), t(`connect.${scope}`)],
          [t('connect.asked'), format.moment(created_at)],
          [t('connect.expires'), format.moment(expires_at)],
        ]}
        choice={choice}
        scope={scope}
        approve={t('connect.approve')}
      />
    </section>
  );
}
