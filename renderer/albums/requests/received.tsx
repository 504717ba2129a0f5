import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { RequestLink } from '#api/sharing/requests.ts';
import { ErrorNotice, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { only, useBatch } from '#renderer/images/list/batch.ts';
import { useUndo } from '#renderer/images/list/use-undo.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { receivedQuery, waitingQuery } from './queries.ts';
import classes from './requests.module.css';

/** Pictures of a batch that are shown. */
const FEW = 12;

/** Who has sent what through a request link. */
export function ReceivedFiles({ request, onBack }: { request: RequestLink; onBack: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const { data: batches, error, refetch } = useQuery(receivedQuery(request.album_id, request.id));
  return (
    <Stack>
      {error && <ErrorNotice explanation={explain(error)} onRetry={() => void refetch()} />}
      {request.own && batches && <ApproveAll keys={batches.flatMap(({ keys }) => keys)} />}
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

/** Makes those public that others can't open yet, in one click. @param keys all that was sent */
function ApproveAll({ keys }: { keys: readonly string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const notifyError = useNotifyError();
  const runBatch = useBatch();
  const notice = useNotice();
  const offerUndo = useUndo(notice);
  const who = useWhoCanOpen()('public');
  const { data: waiting = [], error, refetch } = useQuery(waitingQuery(keys));
  const approve = useMutation({
    mutationFn: async () => {
      const end = notice.wait(t('selection.working', { count: waiting.length, formatted: format.number(waiting.length) }));
      const {
        processed,
        refused,
        error,
        done,
        undo: tokens,
      } = await runBatch({
        target: only(waiting),
        change: { action: 'visibility', visibility: 'public' },
      });
      end();
      if (refused) notifyError(error, t('library.changeFailed', { count: refused }));
      if (!processed) return;
      const title = t('opened.published', { count: processed, formatted: format.number(processed), who });
      offerUndo(title, {
        tokens,
        action: 'visibility',
        images: waiting.filter(({ key }) => done.some((image) => image.key === key)),
        more: false,
      });
    },
  });
  if (error) return <ErrorNotice explanation={explain(error)} onRetry={() => void refetch()} />;
  const count = waiting.length;
  if (count === 0) return null;
  return (
    <div className={classes.approve}>
      <Text size="sm">
        {joinSentences(t('requests.waiting', { count, formatted: format.number(count) }), t('requests.approveHint', { who }))}
      </Text>
      <Button size="sm" loading={approve.isPending} onClick={() => approve.mutate()}>
        {t('requests.approve', { count })}
      </Button>
    </div>
  );
}
