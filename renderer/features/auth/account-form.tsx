import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { useFaultFocus, useFieldError } from '#renderer/service/field-error.ts';
import { textFields } from './form.ts';

type Account = 'username' | 'email' | 'password';
/** What is wrong with a field, in words. */
type Fault<Name> = (name: Name) => string | undefined;

interface Props<Name extends string> {
  /** All fields that are sent, those of the account included. */
  names: readonly Name[];
  create: { error: Error | null; isPending: boolean; mutate(fields: Record<Name, string>): void };
  /** A field in `before` has to be filled in first: it, and not the user name, has the focus. */
  codeFirst: boolean;
  /** Fields before and after those of the account. */
  before?: (fault: Fault<Name>) => ReactNode;
  after?: (fault: Fault<Name>) => ReactNode;
  /** Below the button. */
  children?: ReactNode;
}

/** A form that makes an account; says at each field what is wrong with it, and above them what else is. */
export function AccountForm<const Name extends string>({ names, create, codeFirst, before, after, children }: Props<Name | Account>) {
  const { t } = useTranslation();
  const explain = useExplain();
  const fault: Fault<Name | Account> = useFieldError(create.error);
  const form = useFaultFocus(create.error);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(textFields(event.currentTarget, names));
      }}
    >
      <Stack mt="xl">
        {create.error && !names.some(fault) && <ErrorNotice explanation={explain(create.error)} />}
        {before?.(fault)}
        <TextInput
          name="username"
          label={t('auth.username')}
          error={fault('username')}
          autoComplete="username"
          autoCapitalize="none"
          required
          autoFocus={!codeFirst}
        />
        <TextInput name="email" type="email" label={t('auth.email')} error={fault('email')} autoComplete="email" required />
        <PasswordInput
          name="password"
          label={t('auth.password')}
          description={t('auth.passwordHint')}
          error={fault('password')}
          autoComplete="new-password"
          minLength={10}
          required
          visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
        />
        {after?.(fault)}
        <Button type="submit" size="md" mt="xs" loading={create.isPending}>
          {t('auth.create')}
        </Button>
        {children}
      </Stack>
    </form>
  );
}
