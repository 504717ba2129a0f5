import { Alert, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { getAdminSettings } from '#api/admin/settings.ts';
import type { RouteData } from '#api/contract.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';

interface Props {
  saved: RouteData<typeof getAdminSettings>;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** The link address. Before saving, a notice says how many links a change affects. */
export function LinkAddress({ saved, value, error, onChange }: Props) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const changed = value !== (saved.base_url ?? '');
  const { data: stats } = useQuery({
    queryKey: ['admin', 'stats', 1],
    queryFn: ({ signal }) => client.call('GET /admin/stats', { query: { days: 1 }, signal }),
    enabled: changed,
  });
  const count = stats?.totals.images ?? 0;
  return (
    <div>
      <TextInput
        label={t('instance.baseUrl')}
        description={saved.base_url_fixed ? t('instance.baseUrlFixed') : t('instance.baseUrlHint', { address: saved.link_address })}
        placeholder={saved.base_url === null ? saved.link_address : 'https://pics.example.org'}
        disabled={saved.base_url_fixed}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {changed && count > 0 && (
        <Alert
          color="orange"
          variant="light"
          mt="sm"
          role="status"
          title={t('instance.linksChange', { count, formatted: format.number(count) })}
        >
          {t('instance.linksChangeText', { address: saved.link_address })}
        </Alert>
      )}
    </div>
  );
}
