import { IconShieldCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './shell.module.css';

/** Leads to administration; only administrators see it. */
export function AdminLink() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  if (session?.user?.role !== 'admin') return null;
  return (
    <Link to="/admin" className={classes.place} aria-label={t('nav.admin')}>
      <IconShieldCog size={20} stroke={1.7} aria-hidden />
      <span className={classes.wide}>{t('nav.admin')}</span>
    </Link>
  );
}
