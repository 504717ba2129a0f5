import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNotifyError } from '../../components/notice.tsx';
import { useFormat } from '../../i18n/format.ts';
import { sessionQuery } from '../../service/queries.ts';
import { useSignOut } from '../../service/sign-out.ts';
import { Setting } from './setting.tsx';

/** Who is signed in. */
export function AccountPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery);
  const signOut = useSignOut();
  const notifyError = useNotifyError();
  const user = session?.user;
  if (!user) return null;
  const role = user.is_owner ? t('account.owner') : user.role === 'admin' ? t('account.admin') : t('account.user');
  return (
    <div>
      <Setting title={t('account.username')}>{() => user.username}</Setting>
      <Setting title={t('account.email')}>{() => user.email ?? t('account.noEmail')}</Setting>
      <Setting title={t('account.role')}>{() => role}</Setting>
      <Setting title={t('account.since')}>{() => format.date(user.created_at)}</Setting>
      <Button
        mt="lg"
        variant="default"
        leftSection={<IconLogout size={18} />}
        loading={signOut.isPending}
        onClick={() => signOut.mutate(undefined, { onError: (error) => notifyError(error) })}
      >
        {t('nav.signOut')}
      </Button>
    </div>
  );
}
