import { Anchor, PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import type { User } from '#api/auth/auth.ts';
import { addressOf } from '#api/client.ts';
import { RECENT_SIGN_IN_MINUTES } from '#api/constants.ts';
import { gapAfter } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';

/** What confirms a change to the account: its password or, where it has none, a recent sign-in. */
export function CurrentPassword({ user, ...props }: PasswordInputProps & { user: User }) {
  const { t } = useTranslation();
  if (user.has_password)
    return (
      <PasswordInput
        label={t('profile.currentPassword')}
        visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
        autoComplete="current-password"
        {...props}
      />
    );
  // The app signs its owner in without asking.
  if (desktopBridge()) return null;
  const recent = t('profile.recentSignIn', { minutes: RECENT_SIGN_IN_MINUTES });
  return (
    <Text size="sm">
      {recent}
      {gapAfter(recent)}
      <Anchor href={addressOf('GET /auth/oidc/start', { query: { next: '/settings/account' } })} inherit>
        {t('profile.signInAgain')}
      </Anchor>
    </Text>
  );
}
