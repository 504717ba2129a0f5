import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#renderer/i18n/t.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AdminPage, Loaded } from '../page.tsx';
import { BrandingForm } from './branding-form.tsx';

/** The site's logo and accent colour. */
export function BrandingPage() {
  const { t } = useTranslation('admin');
  const query = useQuery(configQuery);
  return (
    <AdminPage title={t('sections.branding')} intro={t('branding.intro')}>
      <Loaded query={query}>{(config) => <BrandingForm saved={config} />}</Loaded>
    </AdminPage>
  );
}
