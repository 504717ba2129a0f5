import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { User } from '#api/auth/auth.ts';
import { MIN_PASSWORD_LENGTH } from '#api/constants.ts';
import { PasswordMeter } from '#renderer/components/sign-in/password-meter.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { PasswordField, TextField } from '#renderer/plain/field.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { useFieldError, useRefusal } from '#renderer/service/field-error.ts';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { hasInput, textFields } from './text-fields.ts';

type Account = 'username' | 'email' | 'password';
/** Explains what is wrong with a field. */
type Fault<Name> = (name: Name) => string | undefined;

interface Props<Name extends string> {
  title: string;
  intro?: string;
  /** The fields in addition to those of the account. */
  names: readonly Name[];
  create: (fields: Record<Name | Account, string>) => Promise<{ user: User | null }>;
  /** The account exists; signed in, unless a second step is required. */
  onCreated: (signedIn: boolean) => void;
  /** A required field in `before` takes the focus instead of the user name. */
  codeFirst: boolean;
  /** Fields before and after those of the account. */
  before: (fault: Fault<Name>) => ReactNode;
  after?: (fault: Fault<Name>) => ReactNode;
  /** Below the button. */
  children?: ReactNode;
}

/** A page whose form creates an account and signs it in. */
export function AccountForm<const Name extends string>(props: Props<Name>) {
  const { title, intro, names, create, onCreated, codeFirst, before, after, children } = props;
  const { t } = useTranslation();
  const explain = useExplain();
  const typed = useRef(false);
  useAskBeforeLeaving(typed);
  const creation = useMutation({
    mutationFn: create,
    onSuccess: ({ user }) => {
      typed.current = false;
      onCreated(user !== null);
    },
  });
  const fault: Fault<Name | Account> = useFieldError(creation.error);
  const { form, unplaced } = useRefusal(creation.error);
  return (
    <AuthFrame title={title} intro={intro}>
      <form
        ref={form}
        className={classes.fields}
        onInput={(event) => {
          typed.current = hasInput(event.currentTarget);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          creation.mutate(textFields(event.currentTarget, ['username', 'email', 'password', ...names]));
        }}
      >
        {unplaced !== null && <ErrorNotice explanation={explain(unplaced)} />}
        {before(fault)}
        <TextField
          name="username"
          label={t('auth.username')}
          error={fault('username')}
          autoComplete="username"
          autoCapitalize="none"
          required
          autoFocus={!codeFirst}
        />
        <TextField name="email" type="email" label={t('auth.email')} error={fault('email')} autoComplete="email" required />
        <PasswordMeter>
          <PasswordField
            name="password"
            label={t('auth.password')}
            description={t('auth.passwordHint', { count: MIN_PASSWORD_LENGTH })}
            error={fault('password')}
            autoComplete="new-password"
            minLength={MIN_PASSWORD_LENGTH}
            required
            show={t('auth.show')}
          />
        </PasswordMeter>
        {after?.(fault)}
        <Button type="submit" size="md" className={classes.submit} loading={creation.isPending}>
          {t('auth.create')}
        </Button>
        {children}
      </form>
    </AuthFrame>
  );
}

/** Lets the browser ask before it leaves a page on which something was `typed` that would be lost. */
function useAskBeforeLeaving(typed: RefObject<boolean>): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => typed.current && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [typed]);
}
