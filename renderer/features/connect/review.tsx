import { IconDeviceDesktop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DeviceRequest } from '#api/auth/devices.ts';
import { Approval, type Decision } from '#renderer/components/approval.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './connect.module.css';

interface Props {
  request: DeviceRequest;
  onDecided: (decision: Decision) => void;
}

/** Shows which device asks for what, and takes the decision. */
export function Review({ request: { name, user_code, address, created_at }, onDecided }: Props) {
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
  return (
    <section className={classes.review}>
      <div className={classes.art} aria-hidden="true">
        <IconDeviceDesktop size={36} stroke={1.4} />
      </div>
      <h1>{t('connect.question', { name })}</h1>
      <p>{t('connect.compare')}</p>
      <Approval
        code={user_code}
        facts={[
          [t('connect.account'), session?.user?.username],
          [t('connect.address'), address],
          [t('connect.asked'), format.moment(created_at)],
        ]}
        choice={choice}
        approve={t('connect.approve')}
      />
    </section>
  );
}
