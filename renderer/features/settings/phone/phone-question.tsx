import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PhoneState } from '#api/auth/phones.ts';
import { Approval, type Decision } from '#renderer/components/approval.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from './phone.module.css';
import { phoneQuery } from './phone.ts';

interface Props {
  code: string;
  phone: Extract<PhoneState, { state: 'asking' }>;
}

/** Shows which phone asks, and takes the decision. */
export function PhoneQuestion({ code, phone: { name, check_code, address } }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const choice = useMutation({
    mutationFn: (decision: Decision) => client.call('POST /phone/decision', { body: { code, check_code, decision } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneQuery(code).queryKey }),
  });
  return (
    <section className={classes.question}>
      <h2>{t('phones.question', { name })}</h2>
      <p>{t('phones.compare')}</p>
      <Approval
        code={check_code}
        isShort
        facts={[[t('connect.address'), address]]}
        choice={choice}
        scope="upload"
        approve={t('phones.connect')}
      />
    </section>
  );
}
