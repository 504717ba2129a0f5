import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './shell.module.css';

/** Who is signed in; leads to their account. */
export function AccountLink() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const name = session?.user?.username ?? '';
  return (
    <Link to="/settings/account" className={classes.account} aria-label={`${t('nav.account')}: ${name}`}>
      <span className={classes.initial} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={classes.wide}>{name}</span>
    </Link>
  );
}
