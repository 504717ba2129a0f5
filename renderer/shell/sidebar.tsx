import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#renderer/components/brand-mark.tsx';
import { configQuery } from '#renderer/service/queries.ts';
import { useChooseFiles } from '#renderer/upload/intake.tsx';
import { AccountLink } from './account-link.tsx';
import { AdminLink } from './admin-link.tsx';
import { PLACES } from './navigation.ts';
import classes from './shell.module.css';
import { StorageMeter } from './storage-meter.tsx';

/** Navigation on everything wider than a phone; a narrow rail of icons where space is short. */
export function Sidebar() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const choose = useChooseFiles();
  return (
    <nav aria-label={t('nav.label')} className={classes.sidebar}>
      <Link to="/" className={classes.brand}>
        <BrandMark size={30} />
        <span className={classes.wide}>{config?.site_name ?? 'Pixdock'}</span>
      </Link>
      <Button className={classes.uploadButton} onClick={choose} aria-label={t('nav.upload')}>
        <IconUpload size={18} aria-hidden />
        <span className={classes.wide}>{t('nav.upload')}</span>
      </Button>
      <div className={classes.nav}>
        {PLACES.map(({ to, label, Icon, exact }) => (
          <Link key={to} to={to} className={classes.place} activeOptions={{ exact, includeSearch: false }} aria-label={t(label)}>
            <Icon size={20} stroke={1.7} aria-hidden />
            <span className={classes.wide}>{t(label)}</span>
          </Link>
        ))}
        <AdminLink />
      </div>
      <div className={classes.spacer} />
      <StorageMeter />
      <AccountLink />
    </nav>
  );
}
