import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The field for the password that changes to the account require. */
export function CurrentPassword(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('profile.currentPassword')}
      visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
      autoComplete="current-password"
      {...props}
    />
  );
}
