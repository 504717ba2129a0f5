import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Questions } from '../../components/questions.tsx';
import { sessionQuery } from '../../service/queries.ts';
import classes from './settings.module.css';

const SECTIONS = [
  { to: '/settings/appearance', label: 'settings.appearance' },
  { to: '/settings/uploads', label: 'uploads.title' },
  { to: '/settings/tokens', label: 'settings.tokens' },
  { to: '/settings/sessions', label: 'sessions.title' },
  { to: '/settings/account', label: 'settings.account' },
] as const;

export function SettingsLayout() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  return (
    <div className={classes.page}>
      <Title order={1}>{t('settings.title')}</Title>
      <nav className={classes.sections} aria-label={t('settings.sections')}>
        {SECTIONS.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.section}>
            {t(label)}
          </Link>
        ))}
        {session?.user?.role === 'admin' && (
          <Link to="/admin" className={classes.section}>
            {t('nav.admin')}
          </Link>
        )}
      </nav>
      <Questions>
        <Outlet />
      </Questions>
    </div>
  );
}
