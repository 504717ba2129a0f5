import { Badge, Button, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import type { Token } from '#api/auth/tokens.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useRevokeToken } from './tokens.ts';

const SCOPES = {
  upload: 'tokens.scopeUpload',
  device: 'tokens.scopeDevice',
  full: 'tokens.scopeFull',
  metrics: 'tokens.scopeMetrics',
} as const;

export function TokenRow({ token, heading: Heading = 'h2' }: { token: Token; heading?: 'h2' | 'h3' }) {
  const { t } = useTranslation();
  const format = useFormat();
  const revoke = useRevokeToken();
  const notifyError = useNotifyError();
  const expired = token.expires_at !== null && Date.parse(token.expires_at) <= Date.now();
  const expiry =
    token.expires_at === null
      ? t('tokens.noExpiry')
      : t(expired ? 'tokens.expired' : 'tokens.expires', { date: format.date(token.expires_at) });
  const used = token.last_used_at ? t('tokens.lastUsed', { date: format.moment(token.last_used_at) }) : t('tokens.neverUsed');
  const ask = () =>
    modals.openConfirmModal({
      title: t('tokens.revokeTitle', { name: token.name }),
      children: <Text size="sm">{t('tokens.revokeText')}</Text>,
      labels: { confirm: t('tokens.revoke'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () =>
        revoke.mutate(token.id, {
          onSuccess: () => notifications.show({ color: 'petrol.7', title: t('tokens.revoked'), message: token.name, autoClose: 3000 }),
          onError: (error) => notifyError(error),
        }),
    });
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <Heading>
          {token.name}
          <Badge variant="default" tt="none">
            {t(SCOPES[token.scope])}
          </Badge>
        </Heading>
        <Facts facts={[used, expiry, t('tokens.created', { date: format.date(token.created_at) })]} />
      </div>
      <Button variant="default" size="xs" aria-label={t('tokens.revokeOne', { name: token.name })} loading={revoke.isPending} onClick={ask}>
        {t('tokens.revoke')}
      </Button>
    </li>
  );
}
