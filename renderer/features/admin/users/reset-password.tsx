import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '#api/admin-users.ts';
import { client } from '#renderer/service/client.ts';
import { useFieldError } from '#renderer/service/field-error.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useChange } from '../use-change.ts';

export function ResetPassword({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [password, setPassword] = useState('');
  const change = useChange(() => client.call('POST /admin/users/:id/reset-password', { params: { id: user.id }, body: { password } }), {
    stale: ['users', 'audit'],
    done: () => t('users.passwordSet', { name: user.username }),
    after: onClose,
    quiet: true,
  });
  const fault = useFieldError(change.error);
  return (
    <FormDialog
      title={t('users.resetTitle', { name: user.username })}
      submit={t('users.resetPassword')}
      change={change}
      fields={['password']}
      onClose={onClose}
      onSubmit={() => change.mutate(undefined)}
    >
      <Text size="sm">{t('users.resetText')}</Text>
      <PasswordInput
        label={t('users.newPassword')}
        description={t('users.passwordHint')}
        autoComplete="new-password"
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': t('users.showPassword') }}
        value={password}
        error={fault('password')}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
