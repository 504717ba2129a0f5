import { Button, Group, Title } from '@mantine/core';
import { IconLogout, IconShieldCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { Sections, sectionClass } from '#renderer/components/layout/sections.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useSignOut } from '#renderer/service/sign-out.ts';
import classes from './settings.module.css';

const SECTIONS = [
  { to: '/settings/computer', label: 'computer.title', desktop: true },
  { to: '/settings/appearance', label: 'settings.appearance' },
  { to: '/settings/uploads', label: 'uploads.title' },
  { to: '/settings/views', label: 'views.title' },
  { to: '/settings/phone', label: 'phones.title' },
  { to: '/settings/tokens', label: 'settings.tokens' },
  { to: '/settings/sessions', label: 'sessions.title' },
  { to: '/settings/account', label: 'settings.account' },
] as const;

export function SettingsLayout() {
  const { t } = useTranslation();
  const pathname = useLocation({ select: (location) => location.pathname });
  const section = SECTIONS.find(({ to }) => pathname.startsWith(to));
  usePageTitle(t(section?.label ?? 'settings.title'));
  const { data: session } = useQuery(sessionQuery);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Title order={1}>{t('settings.title')}</Title>
        <Group gap="xs" wrap="nowrap">
          {session?.user?.role === 'admin' && (
            <Button
              renderRoot={(props) => <Link to="/admin" {...props} />}
              variant="default"
              size="xs"
              className={classes.onPhones ?? ''}
              leftSection={<IconShieldCog size={18} aria-hidden />}
            >
              {t('nav.admin')}
            </Button>
          )}
          <SignOut />
        </Group>
      </header>
      <Sections className={classes.sections} label={t('settings.sections')}>
        {SECTIONS.filter((section) => !('desktop' in section) || desktopBridge()).map(({ to, label }) => (
          <Link key={to} to={to} className={sectionClass}>
            {t(label)}
          </Link>
        ))}
      </Sections>
      <Questions>
        <Outlet />
      </Questions>
    </div>
  );
}

function SignOut() {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const notifyError = useNotifyError();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconLogout size={18} aria-hidden />}
      loading={signOut.isPending}
      onClick={() => signOut.mutate(undefined, { onError: (error) => notifyError(error) })}
    >
      {t('nav.signOut')}
    </Button>
  );
}
