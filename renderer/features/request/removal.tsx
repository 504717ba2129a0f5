import { IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#api/client.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import { PublicCard, PublicError, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button, ButtonLink } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useRemoval } from './question.tsx';
import classes from './request.module.css';
import { senderHeaders } from './sender.ts';

/** Asks before a picture is removed, for those who open its removal address. */
export function Removal({ id, file }: { id: string; file: string }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const found = useQuery({
    queryKey: ['request', id, 'removal', file],
    queryFn: ({ signal }) => client.call('GET /r/:id/remove/:file', { params: { id, file }, headers: senderHeaders(id), signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const remove = useRemoval(id, file);
  usePageTitle(t('sending.remove'));
  const back = (
    <ButtonLink variant="default" href={`/r/${id}`}>
      {t('sending.back')}
    </ButtonLink>
  );
  const art = <IconPhotoOff size={40} stroke={1.4} />;
  if (remove.isSuccess)
    return (
      <PublicCard art={art} title={t('sending.removed')} text={t('sending.removedText')}>
        <p className={classes.choices}>{back}</p>
      </PublicCard>
    );
  if (found.error instanceof ApiError && found.error.code === 'not_found')
    return (
      <PublicCard art={art} title={t('sending.nothingTitle')} text={t('sending.nothingText')}>
        <p className={classes.choices}>{back}</p>
      </PublicCard>
    );
  if (found.error) return <PublicError explanation={explain(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data) return null;
  return (
    <PublicCard
      art={<IconTrash size={40} stroke={1.4} />}
      title={t('sending.removeTitle', { name: found.data.name })}
      text={t('sending.removeText', { days: TRASH_DAYS })}
    >
      {remove.error && <ErrorNotice explanation={explain(remove.error)} />}
      <p className={classes.choices}>
        <ButtonLink variant="default" href={`/r/${id}`}>
          {t('sending.keep')}
        </ButtonLink>
        <Button loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('sending.remove')}
        </Button>
      </p>
    </PublicCard>
  );
}
