import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { TextField } from '#renderer/plain/field.tsx';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { canUsePasskeys } from '#renderer/service/passkeys.ts';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { BackButton, type StepProps, stepFault } from './step-parts.tsx';
import { textFields } from './text-fields.ts';

// Few users ever see it, and it draws a QR code.
const EnrolStep = lazy(() => load(() => import('./enrol-step.tsx')).then((module) => ({ default: module.EnrolStep })));

/** What a right password still requires. */
export type Step = 'code' | 'enrol' | 'passkey';

/** The second step of signing in, after the password. */
export function SecondStep({ step, ...props }: StepProps & { step: Step }) {
  if (step === 'code') return <CodeStep {...props} />;
  if (step === 'passkey') return <PasskeyStep {...props} />;
  return (
    <Suspense>
      <EnrolStep {...props} />
    </Suspense>
  );
}

/** For accounts that have a passkey and no other second factor. */
function PasskeyStep({ onSignedIn, onBack }: StepProps) {
  const { t } = useTranslation();
  return (
    <AuthFrame title={t('auth.passkeyTitle')} intro={t(canUsePasskeys() ? 'auth.passkeyNeeded' : 'auth.passkeyElsewhere')}>
      <div className={classes.fields}>
        {canUsePasskeys() && <PasskeyButton onSignedIn={onSignedIn} />}
        <BackButton onBack={onBack} />
      </div>
    </AuthFrame>
  );
}

function CodeStep({ onSignedIn, onBack }: StepProps) {
  const { t } = useTranslation();
  const explain = useExplain();
  const [recovery, setRecovery] = useState(false);
  const send = useMutation({
    mutationFn: (body: { code: string }) => client.call('POST /auth/code', { body }),
    onSuccess: ({ user }) => onSignedIn(user),
  });
  return (
    <AuthFrame title={t('auth.step.title')} intro={t(recovery ? 'auth.step.recoveryIntro' : 'auth.step.intro')}>
      <form
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(textFields(event.currentTarget, ['code']));
        }}
      >
        {send.isError && <ErrorNotice explanation={explain(send.error, stepFault(send.error))} />}
        <TextField
          key={String(recovery)}
          name="code"
          label={t(recovery ? 'auth.step.recoveryCode' : 'auth.step.code')}
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete={recovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          required
          autoFocus
        />
        <Button type="submit" size="md" className={classes.submit} loading={send.isPending}>
          {t('auth.signIn')}
        </Button>
        <Button variant="default" size="md" onClick={() => setRecovery(!recovery)}>
          {t(recovery ? 'auth.step.useApp' : 'auth.step.useRecovery')}
        </Button>
        <BackButton onBack={onBack} />
      </form>
    </AuthFrame>
  );
}
