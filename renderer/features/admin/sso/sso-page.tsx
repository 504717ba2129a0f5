import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { AdminPage, Loaded } from '../page.tsx';
import { SsoForm } from './sso-form.tsx';

/** Signing in through an OpenID Connect provider; only the owner can change it. */
export function SsoPage() {
  const { t } = useTranslation('admin');
  const query = useQuery({ queryKey: ['admin', 'sso'], queryFn: ({ signal }) => client.call('GET /admin/oidc', { signal }) });
  const { data: session } = useQuery(sessionQuery);
  return (
    <AdminPage title={t('sections.sso')} intro={t('sso.intro')}>
      <Loaded query={query}>{(saved) => <SsoForm saved={saved} readOnly={!session?.user?.is_owner} />}</Loaded>
    </AdminPage>
  );
}
