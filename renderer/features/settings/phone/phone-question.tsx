import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PhoneState } from '#api/auth/phones.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './phone.module.css';
import { phoneQuery } from './phone.ts';

interface Props {
  code: string;
  phone: Extract<PhoneState, { state: 'asking' }>;
}

/** Shows which phone asks, and takes the decision. */
export function PhoneQuestion({ code, phone: { name, check_code, address } }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const queryClient = useQueryClient();
  const choice = useMutation({
    mutationFn: (decision: 'approve' | 'deny') => client.call('POST /phone/decision', { body: { code, check_code, decision } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneQuery(code).queryKey }),
  });
  const busy = (decision: 'approve' | 'deny') => choice.isPending && choice.variables === decision;
  return (
    <section className={classes.question}>
      <h2>{t('phones.question', { name })}</h2>
      <p>{t('phones.compare')}</p>
      <p className={classes.check}>{check_code}</p>
      <dl>
        <dt>{t('connect.address')}</dt>
        <dd>{address}</dd>
      </dl>
      <ul>
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
          {t('phones.connect')}
        </Button>
      </div>
    </section>
  );
}
