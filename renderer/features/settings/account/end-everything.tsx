import { Button, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery } from '@tanstack/react-query';
import shared from '#renderer/components/layout/rows.module.css';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { TokenRow } from '#renderer/features/settings/tokens/token-row.tsx';
import { tokensQuery } from '#renderer/features/settings/tokens/tokens.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useEndAccess } from './account.ts';

/** The API tokens beside the sessions, and one button that ends both. @param sessions how many the page lists */
export function EndEverything({ sessions }: { sessions: number }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(tokensQuery);
  const tokens = list.data?.pages.flatMap((page) => page.items) ?? [];
  const { ask, isPending } = useAsk();
  return (
    <>
      {tokens.length > 0 && (
        <section className={classes.tokens}>
          <Title order={2} size="h4">
            {t('settings.tokens')}
          </Title>
          <ul className={`${shared.rows} ${classes.rows}`} aria-label={t('tokens.list')}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} heading="h3" />
            ))}
          </ul>
          {list.hasNextPage && (
            <Button variant="default" mt="md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('tokens.more')}
            </Button>
          )}
        </section>
      )}
      {(tokens.length > 0 || sessions > 1) && (
        <section className={classes.tokens}>
          <Text c="dimmed" size="sm" maw="60ch">
            {t('access.endHint')}
          </Text>
          <Button variant="default" mt="sm" c="var(--mantine-color-error)" loading={isPending} onClick={ask}>
            {t('access.end')}
          </Button>
        </section>
      )}
    </>
  );
}

function useAsk() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate, isPending } = useEndAccess();
  const ask = () =>
    modals.openConfirmModal({
      title: t('access.endTitle'),
      children: <Text size="sm">{t('access.endText')}</Text>,
      labels: { confirm: t('access.end'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () =>
        mutate(undefined, {
          onSuccess: () => notifications.show({ color: 'petrol.7', title: t('access.ended'), message: undefined, autoClose: 3000 }),
          onError: (error) => notifyError(error),
        }),
    });
  return { ask, isPending };
}
