import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiError } from '#api/client.ts';
import { useBrand } from '#renderer/components/layout/brand.tsx';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { TextField } from '#renderer/plain/field.tsx';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AccountForm } from './account-form.tsx';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { SecondStep } from './second-step.tsx';

const WelcomePage = lazy(() => load(() => import('./welcome-page.tsx')).then((module) => ({ default: module.WelcomePage })));

interface Props {
  /** The code of the invite link. */
  invite: string | undefined;
  /** Called once the user has an account, and wants to see their pictures. */
  onEnter: () => void;
}

/** Creates the visitor's account, with or without an invite. */
export function RegisterPage({ invite, onEnter }: Props) {
  const { t } = useTranslation();
  usePageTitle(t('auth.noAccount'));
  const { data: config } = useQuery(configQuery);
  const check = useQuery({
    queryKey: ['invite', invite],
    queryFn: ({ signal }) => client.call('POST /auth/invite', { body: { invite: invite ?? '' }, signal }),
    enabled: invite !== undefined && config?.registration_mode !== 'closed',
    retry: false,
  });
  const { site_name } = useBrand();
  const [step, setStep] = useState<'form' | 'enrol' | 'done'>('form');
  const finish = () => setStep('done');
  const title = t('auth.registerTitle', { site: site_name });
  if (step === 'done')
    return (
      <Suspense>
        <WelcomePage onEnter={onEnter} />
      </Suspense>
    );
  if (step === 'enrol') return <SecondStep step="enrol" onSignedIn={finish} onBack={() => location.assign('/sign-in')} />;
  if (config?.registration_mode === 'closed')
    return (
      <AuthFrame title={title} intro={t(invite ? 'auth.inviteClosed' : 'auth.registerClosed')}>
        <div className={classes.fields}>
          <ToSignIn />
        </div>
      </AuthFrame>
    );
  const needed = config?.registration_mode === 'invite';
  // Whatever else went wrong, the form reports it if it persists.
  if (check.error instanceof ApiError && check.error.code === 'forbidden')
    return (
      <AuthFrame title={title} intro={t('auth.inviteInvalid')}>
        <div className={classes.fields}>
          <p className={classes.aside}>
            <a href="/register">{t(needed ? 'auth.otherInvite' : 'auth.withoutInvite')}</a>
          </p>
          <ToSignIn />
        </div>
      </AuthFrame>
    );
  if (check.isLoading) return <AuthFrame title={title}>{null}</AuthFrame>;
  const codeFirst = needed && !invite;
  return (
    <AccountForm
      title={title}
      names={['invite']}
      create={({ invite: code, ...account }) =>
        client.call('POST /auth/register', { body: { ...account, invite: code.trim() || undefined } })
      }
      onCreated={(signedIn) => setStep(signedIn ? 'done' : 'enrol')}
      codeFirst={codeFirst}
      before={(fault) => (
        <TextField
          name="invite"
          label={needed || invite ? t('auth.invite') : t('common.optional', { label: t('auth.invite') })}
          defaultValue={invite}
          error={fault('invite')}
          required={needed}
          autoFocus={codeFirst}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    >
      <ToSignIn />
    </AccountForm>
  );
}

function ToSignIn() {
  const { t } = useTranslation();
  return (
    <p className={classes.aside}>
      <a href="/sign-in">{t('auth.haveAccount')}</a>
    </p>
  );
}
