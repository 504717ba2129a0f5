import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { completeEnrolment } from '#api/auth/two-factor.ts';
import type { RouteData } from '#api/contract.ts';
import { RecoveryCodes } from '#renderer/components/sign-in/recovery-codes.tsx';
import { TwoFactorSetup } from '#renderer/components/sign-in/two-factor-setup.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { BackButton, type StepProps, stepFault } from './step-parts.tsx';
import { textFields } from './text-fields.ts';

/** Sets up two-factor authentication at sign-in, where the site requires it. */
export function EnrolStep({ onSignedIn, onBack }: StepProps) {
  const { t } = useTranslation();
  const explain = useExplain();
  const [enrolled, setEnrolled] = useState<RouteData<typeof completeEnrolment>>();
  // The same secret until the page is left: the app may have scanned it already.
  const offer = useQuery({
    queryKey: ['enrolment'],
    queryFn: () => client.call('POST /auth/enrol', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
  const enrol = useMutation({
    mutationFn: (body: { offer: string; code: string }) => client.call('PUT /auth/enrol', { body }),
    onSuccess: setEnrolled,
    gcTime: 0,
  });
  const error = enrol.error ?? offer.error;
  if (enrolled)
    return (
      <AuthFrame title={t('twoFactor.codesTitle')}>
        <div className={classes.fields}>
          <RecoveryCodes codes={enrolled.recovery_codes} />
          <Button size="md" onClick={() => void onSignedIn(enrolled.user)}>
            {t('twoFactor.codesSaved')}
          </Button>
        </div>
      </AuthFrame>
    );
  return (
    <AuthFrame title={t('twoFactor.setUpTitle')} intro={t('twoFactor.setUpRequired')}>
      <form
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          if (offer.data) enrol.mutate({ offer: offer.data.offer, ...textFields(event.currentTarget, ['code']) });
        }}
      >
        {error && <ErrorNotice explanation={explain(error, stepFault(error))} />}
        {offer.data && <TwoFactorSetup offer={offer.data} />}
        <Button type="submit" size="md" className={classes.submit} loading={enrol.isPending} disabled={!offer.data}>
          {t('twoFactor.turnOn')}
        </Button>
        <BackButton onBack={onBack} />
      </form>
    </AuthFrame>
  );
}
