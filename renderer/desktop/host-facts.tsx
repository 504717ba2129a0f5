import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './pages.module.css';

/** Where uploads go: the server's address, and the account there. */
export function HostFacts({ url, username }: { url: string; username: string }) {
  const { t } = useTranslation('desktop');
  return (
    <dl className={classes.facts}>
      <dt>{t('joined.address')}</dt>
      <dd>{url}</dd>
      <dt>{t('joined.account')}</dt>
      <dd>{username}</dd>
    </dl>
  );
}
