import { Button, Divider } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '#api/client.ts';
import type { SignOnFault } from '#api/oidc.ts';
import { ErrorNotice } from '#renderer/components/notice.tsx';

/** Leads to the sign-in service, and afterwards to `next`. A link, because the browser has to go there. */
export function SsoButton({ next }: { next?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <Divider label={t('auth.or')} />
      <Button
        component="a"
        href={addressOf('GET /auth/oidc/start', { query: { next } })}
        size="md"
        variant="default"
        leftSection={<IconKey size={18} />}
      >
        {t('auth.sso')}
      </Button>
    </>
  );
}

/** Why a sign-on failed. */
export function SsoFault({ fault }: { fault: SignOnFault }) {
  const { t } = useTranslation();
  return <ErrorNotice explanation={{ what: t(`auth.${fault}.what`), next: t(`auth.${fault}.next`) }} />;
}
