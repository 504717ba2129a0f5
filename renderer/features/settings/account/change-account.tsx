import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { User } from '#api/auth/auth.ts';
import { MIN_PASSWORD_LENGTH } from '#api/constants.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { PasswordMeter } from '#renderer/components/sign-in/password-meter.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useChangePassword, useChangeProfile } from './account.ts';
import { CurrentPassword } from './current-password.tsx';

export type Field = 'username' | 'email' | 'password';

/** Changes one field of the account, with the current password where the service requires it. */
export function ChangeAccount({ field, user, onClose }: { field: Field; user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const profile = useChangeProfile();
  const password = useChangePassword();
  const { draft, changed, text, flag } = useDraft(
    { username: user.username, email: user.email ?? '', current_password: '', new_password: '', revoke_tokens: false },
    profile.error ?? password.error,
  );
  const { new_password, revoke_tokens } = draft;
  const current_password = user.has_password ? draft.current_password : undefined;
  const onSuccess = () => {
    onClose();
    const title = t(field === 'password' ? 'profile.passwordChanged' : 'profile.saved');
    notifications.show({ color: 'petrol.7', title, message: undefined, autoClose: 3000 });
  };
  const save = () => {
    if (field === 'password') password.mutate({ new_password, current_password, revoke_tokens }, { onSuccess });
    else if (field === 'email') profile.mutate({ email: draft.email.trim() || null, current_password }, { onSuccess });
    else profile.mutate({ username: draft.username.trim() }, { onSuccess });
  };
  const visibilityToggleButtonProps = { 'aria-label': t('auth.show') };
  return (
    <FormDialog
      title={t(`profile.${field}Title`)}
      submit={t('profile.save')}
      change={field === 'password' ? password : profile}
      changed={changed}
      onClose={onClose}
      onSubmit={save}
    >
      {field !== 'username' && <CurrentPassword user={user} data-autofocus {...text('current_password')} />}
      {field === 'password' ? (
        <>
          <PasswordMeter about={[user.username, user.email]}>
            <PasswordInput
              label={t('profile.newPassword')}
              visibilityToggleButtonProps={visibilityToggleButtonProps}
              description={t('auth.passwordHint', { count: MIN_PASSWORD_LENGTH })}
              autoComplete="new-password"
              {...text('new_password')}
            />
          </PasswordMeter>
          <Checkbox label={t('access.revokeTokens')} description={t('access.revokeTokensHint')} {...flag('revoke_tokens')} />
        </>
      ) : (
        <TextInput
          label={t(`account.${field}`)}
          description={field === 'email' ? t('profile.emailHint') : undefined}
          type={field === 'email' ? 'email' : 'text'}
          autoComplete={field}
          data-autofocus={field === 'username' || undefined}
          {...text(field)}
        />
      )}
    </FormDialog>
  );
}
