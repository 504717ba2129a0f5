import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBook2, IconDevices, IconKey, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import shared from '#renderer/components/layout/rows.module.css';
import { EmptyState, LoadError } from '#renderer/components/notices/notice.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { CreateToken } from './create-token.tsx';
import { TokenRow } from './token-row.tsx';
import { TokenSecret } from './token-secret.tsx';
import { type NewToken, tokensQuery } from './tokens.ts';

export function TokensPage() {
  const { t } = useTranslation();
  const [creating, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<NewToken>();
  const list = useInfiniteQuery(tokensQuery);
  const tokens = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div>
      <Text c="dimmed" size="sm" maw="60ch">
        {t('tokens.intro')}
      </Text>
      <Group mt="md">
        <Button leftSection={<IconPlus size={18} />} onClick={open}>
          {t('tokens.create')}
        </Button>
        <Button variant="default" leftSection={<IconDevices size={18} />} renderRoot={(props) => <Link to="/connect" {...props} />}>
          {t('tokens.connect')}
        </Button>
        <Button component="a" href="/docs/api" target="_blank" rel="noreferrer" variant="subtle" leftSection={<IconBook2 size={18} />}>
          {t('tokens.reference')}
        </Button>
      </Group>
      {list.isPending && <Skeleton height={120} mt="xl" />}
      {list.isError && <LoadError error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && !tokens.length && (
        <EmptyState art={<IconKey size={48} stroke={1.2} aria-hidden />} title={t('tokens.empty')} text={t('tokens.emptyText')} />
      )}
      {tokens.length > 0 && (
        <ul className={`${shared.rows} ${classes.rows}`} aria-label={t('tokens.list')}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" mt="md" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t('tokens.more')}
        </Button>
      )}
      {creating && (
        <CreateToken
          onClose={close}
          onCreated={(token) => {
            close();
            setCreated(token);
          }}
        />
      )}
      <TokenSecret created={created} onClose={() => setCreated(undefined)} />
    </div>
  );
}
