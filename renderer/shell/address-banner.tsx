import { Button, Group, Modal, Text } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { gapAfter, joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { setPreferences } from '#renderer/preferences/preferences.ts';
import { client } from '#renderer/service/client.ts';
import { type OtherAddress, pairOf } from '#renderer/service/compare-addresses.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './address-banner.module.css';

/** Informs admins that links start with an address other than the one they have open, and offers to use this one. */
export function AddressBanner({ other }: { other: OtherAddress }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { data: settings } = useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => client.call('GET /admin/settings', { signal }),
  });
  const differs = t('addressBanner.differs', { links: other.links });
  return (
    <section className={classes.banner} aria-label={t('addressBanner.label')}>
      <IconWorldOff size={20} aria-hidden />
      <p>
        <strong>{differs}</strong>
        {gapAfter(differs)}
        {joinSentences(
          t(other.local ? 'addressBanner.local' : 'addressBanner.other', { page: other.page }),
          settings?.base_url_fixed ? t('addressBanner.fixed') : '',
        )}
      </p>
      <div className={classes.actions}>
        {settings?.base_url_fixed === false && (
          <Button size="xs" onClick={() => setAsking(true)}>
            {t('addressBanner.use')}
          </Button>
        )}
        {!other.local && (
          <Button size="xs" variant="default" onClick={() => setPreferences({ keptAddresses: pairOf(other) })}>
            {t('addressBanner.keep')}
          </Button>
        )}
      </div>
      {asking && <UseAddress other={other} onClose={() => setAsking(false)} />}
    </section>
  );
}

function UseAddress({ other: { page, links }, onClose }: { other: OtherAddress; onClose: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: () => client.call('PATCH /admin/settings', { body: { base_url: page } }),
    // Everything that is loaded has the former links.
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <Modal opened onClose={onClose} title={t('addressBanner.useTitle', { page })}>
      {change.isError && <ErrorNotice explanation={explain(change.error)} />}
      <Text size="sm">{t('addressBanner.useText', { page, links })}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button loading={change.isPending} onClick={() => change.mutate()} data-autofocus>
          {t('addressBanner.use')}
        </Button>
      </Group>
    </Modal>
  );
}
