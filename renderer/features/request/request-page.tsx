import { IconDoorOff, IconPhotoOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#api/client.ts';
import { PublicCard, PublicError, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { UnlockForm } from '#renderer/components/sign-in/unlock-form.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { OwnPictures } from './own-pictures.tsx';
import { requestQuery } from './queries.ts';
import { Removal } from './removal.tsx';
import classes from './request.module.css';
import { Sending } from './sending.tsx';

interface Props {
  id: string;
  /** The picture that is to be removed; undefined: the page sends pictures. */
  removing: string | undefined;
}

/** Sends pictures through a request link, for anyone who has it. */
export function RequestPage({ id, removing }: Props) {
  return <PublicFrame>{removing === undefined ? <Request id={id} /> : <Removal id={id} file={removing} />}</PublicFrame>;
}

function Request({ id }: { id: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: request, error, refetch } = useQuery(requestQuery(id));
  usePageTitle(request && (request.password_required ? t('sending.lockedTitle') : request.title));
  if (request && !request.password_required) return <Sending request={request} closed={closedBy(error)} />;
  if (error) return <Trouble id={id} error={error} onRetry={() => void refetch()} />;
  if (!request) return null;
  const unlock = async (password: string) => {
    const open = await client.call('POST /r/:id/unlock', { params: { id }, body: { password } });
    queryClient.setQueryData(requestQuery(id).queryKey, open);
  };
  return <UnlockForm title={t('sending.lockedTitle')} text={t('sending.lockedText')} unlock={unlock} />;
}

const closedBy = (error: unknown) => (error instanceof ApiError ? error.details.reason : undefined);

/** Why nothing can be sent, and what was sent before. */
function Trouble({ id, error, onRetry }: { id: string; error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const isMissing = error instanceof ApiError && error.code === 'not_found';
  const closed = isMissing ? 'missing' : closedBy(error);
  usePageTitle(closed && t(`sending.${closed}Title`));
  if (!closed) return <PublicError explanation={explain(error)} onRetry={onRetry} />;
  const Icon = isMissing ? IconPhotoOff : IconDoorOff;
  return (
    <div className={classes.page}>
      <PublicCard art={<Icon size={40} stroke={1.4} />} title={t(`sending.${closed}Title`)} text={t(`sending.${closed}Text`)} />
      {!isMissing && <OwnPictures id={id} shown={[]} onRemoved={onRetry} />}
    </div>
  );
}
