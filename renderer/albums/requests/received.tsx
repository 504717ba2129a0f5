import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RequestLink } from '#api/sharing/requests.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { receivedQuery } from './queries.ts';
import classes from './requests.module.css';

/** Pictures of a batch that are shown. */
const FEW = 12;

/** Who has sent what through a request link. */
export function Received({ request, onBack }: { request: RequestLink; onBack: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const { data: batches, error, refetch } = useQuery(receivedQuery(request.album_id, request.id));
  return (
    <Stack>
      {error && <ErrorNotice explanation={explain(error)} onRetry={() => void refetch()} />}
      {batches?.length === 0 && <Text c="dimmed">{t('requests.nothingReceived')}</Text>}
      <ul className={classes.list}>
        {batches?.map(({ id, from, keys, received_at, complete }) => (
          <li key={id}>
            <Text fw={580} className={classes.title}>
              {t(keys.length > 0 ? 'requests.batch' : 'requests.batchGone', { count: keys.length, from: from || t('requests.someone') })}
            </Text>
            <Text size="sm" c="dimmed">
              {format.moment(received_at)}
              {!complete && ` · ${t('requests.stillSending')}`}
              {keys.length === 0 && ` · ${t('requests.gone')}`}
            </Text>
            {keys.length > 0 && (
              <div className={classes.pictures}>
                {keys.slice(0, FEW).map((key) => (
                  <a key={key} href={`/albums/${request.album_id}?picture=${key}`} aria-label={t('requests.openPicture')}>
                    <img src={`/t/${key}.jpg?w=120`} alt="" width={56} height={56} loading="lazy" />
                  </a>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('requests.back')}
        </Button>
      </Group>
    </Stack>
  );
}
