import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { AdminPage, Loaded } from '../page.tsx';
import { InstanceForm } from './instance-form.tsx';

/** The instance's name, link address and access. */
export function InstancePage() {
  const { t } = useTranslation('admin');
  const query = useQuery({ queryKey: ['admin', 'settings'], queryFn: ({ signal }) => client.call('GET /admin/settings', { signal }) });
  return (
    <AdminPage title={t('sections.settings')} intro={t('instance.intro')}>
      <Loaded query={query}>{(settings) => <InstanceForm settings={settings} />}</Loaded>
    </AdminPage>
  );
}
