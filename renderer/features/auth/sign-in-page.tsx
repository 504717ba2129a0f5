import { IconKey } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#api/auth/auth.ts';
import type { SignOnFault } from '#api/auth/oidc.ts';
import { ApiError, addressOf } from '#api/client.ts';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { useBrand } from '#renderer/components/layout/brand.tsx';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button, ButtonLink } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { PasswordField, TextField } from '#renderer/plain/field.tsx';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { canUsePasskeys } from '#renderer/service/passkeys.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { isSignedOut } from '#renderer/service/query-client.ts';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondStep, type Step } from './second-step.tsx';
import { textFields } from './text-fields.ts';

interface Props {
  /** The path to open afterwards; set where a page asked for the sign-in. */
  next?: string | undefined;
  /** Why a sign-on through the sign-in service failed. */
  fault?: SignOnFault | undefined;
  /** How many uploads continue after the sign-in. */
  waiting?: number;
  onSignedIn: (user: User) => void | Promise<void>;
}

export function SignInPage({ next, fault, waiting = 0, onSignedIn }: Props) {
  const { t } = useTranslation();
  usePageTitle(t('auth.signIn'));
  const { data: config } = useQuery(configQuery);
  const { site_name } = useBrand();
  const explain = useExplain();
  const [step, setStep] = useState<Step>();
  const bridge = desktopBridge();
  const withPasskeys = config?.passkeys_in_use && canUsePasskeys();
  const ended = joinSentences(t('auth.ended'), waiting ? t('auth.uploadsWait', { count: waiting }) : '');
  const signIn = useMutation({
    mutationFn: (fields: { login: string; password: string }) => client.call('POST /auth/login', { body: fields }),
    onSuccess: ({ user, second_step }) => (user ? onSignedIn(user) : setStep(second_step ?? undefined)),
  });
  if (step) return <SecondStep step={step} onSignedIn={onSignedIn} onBack={() => setStep(undefined)} />;
  return (
    <AuthFrame title={t('auth.signInTo', { site: site_name })} intro={(next || waiting > 0) && !signIn.isError ? ended : undefined}>
      <form
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(textFields(event.currentTarget, ['login', 'password']));
        }}
      >
        {fault && !signIn.isError && !signIn.isPending && <SsoFault fault={fault} />}
        {signIn.isError && <ErrorNotice explanation={explain(signIn.error, signInFault(signIn.error))} />}
        <TextField
          name="login"
          label={t('auth.login')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
        />
        <PasswordField name="password" label={t('auth.password')} autoComplete="current-password" required show={t('auth.show')} />
        <Button type="submit" size="md" className={classes.submit} loading={signIn.isPending}>
          {t('auth.signIn')}
        </Button>
        {bridge ? <OwnerButton bridge={bridge} onSignedIn={onSignedIn} /> : <p className={classes.aside}>{t('auth.forgot')}</p>}
        {(config?.oidc_enabled || withPasskeys) && <p className={classes.or}>{t('auth.or')}</p>}
        {withPasskeys && <PasskeyButton onSignedIn={onSignedIn} />}
        {config?.oidc_enabled && <SsoButton next={next} />}
        {config?.guest_upload_enabled && (
          <p className={classes.aside}>
            <a href="/upload">{t('guest.link')}</a>
          </p>
        )}
        {config && config.registration_mode !== 'closed' && (
          <p className={classes.aside}>
            <a href="/register">{t('auth.noAccount')}</a>
          </p>
        )}
      </form>
    </AuthFrame>
  );
}

/** In the app of the computer that hosts Pixdock: its owner may have no password. */
function OwnerButton({ bridge, onSignedIn }: Pick<Props, 'onSignedIn'> & { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const signIn = useMutation({
    mutationFn: async () => {
      await bridge.signInOwner();
      return client.call('GET /auth/session', {});
    },
    onSuccess: ({ user }) => user && onSignedIn(user),
  });
  return (
    <>
      {signIn.isError && <ErrorNotice explanation={explain(signIn.error)} />}
      <Button size="md" variant="default" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {t('auth.asOwner')}
      </Button>
    </>
  );
}

/** Errors that mean something else here: a 401 isn't an ended session, and too many attempts are failed sign-ins. */
function signInFault(error: unknown) {
  if (isSignedOut(error)) return 'wrong_login';
  return error instanceof ApiError && error.code === 'rate_limited' ? 'locked_out' : undefined;
}

/** Leads to the sign-in service, and afterwards to `next`. A link, because the browser has to go there. */
function SsoButton({ next }: { next?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <ButtonLink
      href={addressOf('GET /auth/oidc/start', { query: { next } })}
      size="md"
      variant="default"
      icon={<IconKey size={18} aria-hidden />}
    >
      {t('auth.sso')}
    </ButtonLink>
  );
}

/** Why a sign-on failed. */
function SsoFault({ fault }: { fault: SignOnFault }) {
  const { t } = useTranslation();
  return <ErrorNotice explanation={{ what: t(`auth.${fault}.what`), next: t(`auth.${fault}.next`) }} />;
}
