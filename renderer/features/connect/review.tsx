import { Button } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DeviceRequest } from '#api/auth/devices.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './connect.module.css';

interface Props {
  request: DeviceRequest;
  onDecided: (decision: 'approve' | 'deny') => void;
}

/** Shows which device asks for what, and takes the decision. */
export function Review({ request: { name, user_code, address, created_at }, onDecided }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const choice = useMutation({
    mutationFn: (decision: 'approve' | 'deny') => client.call('POST /device/decision', { body: { user_code, decision } }),
    onSuccess: (_data, decision) => {
      void queryClient.invalidateQueries({ queryKey: ['tokens'] });
      onDecided(decision);
    },
  });
  const busy = (decision: 'approve' | 'deny') => choice.isPending && choice.variables === decision;
  return (
    <section className={classes.review}>
      <div className={classes.art} aria-hidden="true">
        <IconDeviceDesktop size={36} stroke={1.4} />
      </div>
      <h1>{t('connect.question', { name })}</h1>
      <p>{t('connect.compare')}</p>
      <p className={classes.shown}>{user_code}</p>
      <dl className={classes.facts}>
        <dt>{t('connect.account')}</dt>
        <dd>{session?.user?.username}</dd>
        <dt>{t('connect.address')}</dt>
        <dd>{address}</dd>
        <dt>{t('connect.asked')}</dt>
        <dd>{format.moment(created_at)}</dd>
      </dl>
      <ul className={classes.rights}>
        <li>
          <IconCheck size={18} aria-hidden />
          {t('connect.may')}
        </li>
        <li>
          <IconX size={18} aria-hidden />
          {t('connect.mayNot')}
        </li>
      </ul>
      {choice.error && <ErrorNotice explanation={explain(choice.error)} />}
      <div className={classes.actions}>
        <Button variant="default" loading={busy('deny')} disabled={busy('approve')} onClick={() => choice.mutate('deny')}>
          {t('connect.deny')}
        </Button>
        <Button loading={busy('approve')} disabled={busy('deny')} onClick={() => choice.mutate('approve')}>
          {t('connect.approve')}
        </Button>
      </div>
    </section>
  );
}
