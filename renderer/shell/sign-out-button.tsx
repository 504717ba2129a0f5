import { UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useSignOut } from '#renderer/service/sign-out.ts';
import classes from './shell.module.css';

/** At the foot of the sidebar. */
export function SignOutButton() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate, isPending } = useSignOut();
  return (
    <UnstyledButton
      className={classes.help}
      aria-label={t('nav.signOut')}
      title={t('nav.signOut')}
      disabled={isPending}
      onClick={() => mutate(undefined, { onError: (error) => notifyError(error) })}
    >
      <IconLogout size={20} stroke={1.7} aria-hidden />
    </UnstyledButton>
  );
}
