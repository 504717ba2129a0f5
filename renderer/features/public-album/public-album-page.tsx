import { IconHourglassEmpty, IconPhotoOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#api/client.ts';
import { PublicCard, PublicError, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { UnlockForm } from '#renderer/components/sign-in/unlock-form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { OpenAlbum } from './open-album.tsx';
import { albumQuery } from './queries.ts';

/** A public album, for anyone who has its link. */
export function PublicAlbumPage({ id }: { id: string }) {
  return (
    <PublicFrame>
      <SharedAlbum id={id} />
    </PublicFrame>
  );
}

function SharedAlbum({ id }: { id: string }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const queryClient = useQueryClient();
  const { data: album, error, refetch } = useQuery(albumQuery(id));
  const missing = error instanceof ApiError && error.code === 'not_found';
  const expired = error instanceof ApiError && error.code === 'expired';
  const gone = (missing && 'missingTitle') || (expired && 'expiredTitle');
  usePageTitle(gone ? t(`publicAlbum.${gone}`) : album && (album.password_required ? t('publicAlbum.lockedTitle') : album.name));
  if (missing)
    return (
      <PublicCard art={<IconPhotoOff size={40} stroke={1.4} />} title={t('publicAlbum.missingTitle')} text={t('publicAlbum.missingText')} />
    );
  if (expired)
    return (
      <PublicCard
        art={<IconHourglassEmpty size={40} stroke={1.4} />}
        title={t('publicAlbum.expiredTitle')}
        text={t('publicAlbum.expiredText')}
      />
    );
  if (error) return <PublicError explanation={explain(error)} onRetry={refetch} />;
  if (!album) return null;
  if (!album.password_required) return <OpenAlbum album={album} />;
  const unlock = async (password: string) => {
    const open = await client.call('POST /a/:id/unlock', { params: { id }, body: { password } });
    queryClient.setQueryData(albumQuery(id).queryKey, open);
  };
  return <UnlockForm title={t('publicAlbum.lockedTitle')} text={t('publicAlbum.lockedText')} unlock={unlock} />;
}
