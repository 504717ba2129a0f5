import { Checkbox, PasswordInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '#api/admin/users.ts';
import { MIN_PASSWORD_LENGTH } from '#api/constants.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { PasswordMeter } from '#renderer/components/sign-in/password-meter.tsx';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';

export function ResetPassword({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const change = useChange(
    (body: { password: string; revoke_tokens: boolean }) =>
      client.call('POST /admin/users/:id/reset-password', { params: { id: user.id }, body }),
    {
      stale: ['users', 'audit'],
      done: () => t('users.passwordSet', { name: user.username }),
      after: onClose,
      quiet: true,
    },
  );
  const { draft, changed, text, flag } = useDraft({ password: '', revoke_tokens: true }, change.error);
  return (
    <FormDialog
      title={t('users.resetTitle', { name: user.username })}
      submit={t('users.resetPassword')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <Text size="sm">{t('users.resetText')}</Text>
      <PasswordMeter about={[user.username, user.email]}>
        <PasswordInput
          label={t('users.newPassword')}
          description={t('users.passwordHint', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t('users.showPassword') }}
          {...text('password')}
        />
      </PasswordMeter>
      <Checkbox label={t('users.revokeTokens')} description={t('users.revokeTokensHint')} {...flag('revoke_tokens')} />
    </FormDialog>
  );
}
