import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SignOnFault } from '#api/auth/oidc.ts';
import { addressOf } from '#api/client.ts';
import { ButtonLink } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';

/** Leads to the sign-in service, and afterwards to `next`. A link, because the browser has to go there. */
export function SsoButton({ next }: { next?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <ButtonLink
      href={addressOf('GET /auth/oidc/start', { query: { next } })}
      size="md"
      variant="default"
      icon={<IconKey size={18} aria-hidden />}
    >
      {t('auth.sso')}
    </ButtonLink>
  );
}

/** Why a sign-on failed. */
export function SsoFault({ fault }: { fault: SignOnFault }) {
  const { t } = useTranslation();
  return <ErrorNotice explanation={{ what: t(`auth.${fault}.what`), next: t(`auth.${fault}.next`) }} />;
}
