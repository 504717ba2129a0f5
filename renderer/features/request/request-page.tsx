import { IconDoorOff, IconPhotoOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiError } from '#api/client.ts';
import { PublicCard, PublicError, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { UnlockForm } from '#renderer/components/sign-in/unlock-form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { OwnPictures } from './own-pictures.tsx';
import { requestQuery, shownQuery, useFollowed } from './queries.ts';
import classes from './request.module.css';
import { ClosedNotice, Heading, Sending } from './sending.tsx';
import { ShownPictures } from './shown-pictures.tsx';

const Removal = lazy(() => load(() => import('./removal.tsx')).then((module) => ({ default: module.Removal })));

interface Props {
  id: string;
  /** The picture that is to be removed; undefined: the page sends pictures. */
  removing: string | undefined;
}

/** Sends pictures through a request link, for anyone who has it. */
export function RequestPage({ id, removing }: Props) {
  return (
    <PublicFrame>
      {removing === undefined ? (
        <Request id={id} />
      ) : (
        <Suspense>
          <Removal id={id} file={removing} />
        </Suspense>
      )}
    </PublicFrame>
  );
}

function Request({ id }: { id: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: request, dataUpdatedAt, error: failure, isFetching, refetch } = useFollowed(id, false);
  // Without any data, a query forgets its error while it tries again, and the page would flicker.
  const [last, setLast] = useState<Error>();
  if (failure && failure !== last) setLast(failure);
  const error = failure ?? (isFetching && !request ? last : undefined);
  usePageTitle(request && (request.password_required ? t('sending.lockedTitle') : request.title));
  if (request && !request.password_required) return <Sending request={request} closed={closedBy(error)} openAt={dataUpdatedAt} />;
  if (error) return <Trouble id={id} error={error} onRetry={() => void refetch()} />;
  if (!request) return null;
  const unlock = async (password: string) => {
    try {
      const open = await client.call('POST /r/:id/unlock', { params: { id }, body: { password } });
      queryClient.setQueryData(requestQuery(id).queryKey, open);
    } catch (refused) {
      // It has been closed meanwhile: what the page says then follows from the link.
      if (closedBy(refused)) await refetch();
      throw refused;
    }
  };
  return <Locked id={id} unlock={unlock} />;
}

function Locked({ id, unlock }: { id: string; unlock: (password: string) => Promise<void> }) {
  const { t } = useTranslation();
  useFollowed(id);
  return <UnlockForm title={t('sending.lockedTitle')} text={t('sending.lockedText')} unlock={unlock} />;
}

const closedBy = (error: unknown) => (error instanceof ApiError ? error.details.reason : undefined);

/** Why nothing can be sent, and what was sent before. */
function Trouble({ id, error, onRetry }: { id: string; error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const isMissing = error instanceof ApiError && error.code === 'not_found';
  const closed = isMissing ? 'missing' : closedBy(error);
  useFollowed(id, !isMissing);
  const request = error instanceof ApiError ? error.details.request : undefined;
  const { data: shown = [] } = useQuery({ ...shownQuery(id), enabled: request !== undefined, retry: false });
  usePageTitle(request?.title ?? (closed && t(`sending.${closed}Title`)));
  if (!closed) return <PublicError explanation={explain(error)} onRetry={onRetry} />;
  const Icon = isMissing ? IconPhotoOff : IconDoorOff;
  return (
    <div className={classes.page}>
      {request && closed !== 'missing' ? (
        <>
          <Heading {...request} />
          <ClosedNotice closed={closed} />
        </>
      ) : (
        <PublicCard art={<Icon size={40} stroke={1.4} />} title={t(`sending.${closed}Title`)} text={t(`sending.${closed}Text`)} />
      )}
      {!isMissing && <OwnPictures id={id} shown={shown} onRemoved={onRetry} />}
      <ShownPictures id={id} pictures={shown.filter(({ own }) => !own)} />
    </div>
  );
}
