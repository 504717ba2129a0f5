import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { desktopBridge } from '#renderer/bridge.ts';
import { Questions } from '#renderer/components/questions.tsx';
import sections from '#renderer/components/sections.module.css';
import { useSectionInView } from '#renderer/components/use-section-in-view.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './settings.module.css';

const SECTIONS = [
  { to: '/settings/appearance', label: 'settings.appearance' },
  { to: '/settings/uploads', label: 'uploads.title' },
  { to: '/settings/tokens', label: 'settings.tokens' },
  { to: '/settings/sessions', label: 'sessions.title' },
  { to: '/settings/account', label: 'settings.account' },
  { to: '/settings/computer', label: 'computer.title', desktop: true },
] as const;

export function SettingsLayout() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const nav = useRef<HTMLElement>(null);
  useSectionInView(nav);
  return (
    <div className={classes.page}>
      <Title order={1}>{t('settings.title')}</Title>
      <nav ref={nav} className={`${sections.sections} ${classes.sections}`} aria-label={t('settings.sections')}>
        {SECTIONS.filter((section) => !('desktop' in section) || desktopBridge()).map(({ to, label }) => (
          <Link key={to} to={to} className={sections.section}>
            {t(label)}
          </Link>
        ))}
        {session?.user?.role === 'admin' && (
          <Link to="/admin" className={`${sections.section} ${classes.inSidebar}`}>
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
