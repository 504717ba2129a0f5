import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { UnlockForm } from '#renderer/components/sign-in/unlock-form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { OpenImage } from './open-image.tsx';
import { shareQuery } from './queries.ts';
import { ShareTrouble } from './share-trouble.tsx';

/** A shared image, for anyone who has its link. */
export function SharePage({ imageKey }: { imageKey: string }) {
  return (
    <PublicFrame>
      <SharedImage imageKey={imageKey} />
    </PublicFrame>
  );
}

function SharedImage({ imageKey }: { imageKey: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: share, error, refetch } = useQuery(shareQuery(imageKey));
  usePageTitle(share && (share.password_required ? t('share.lockedTitle') : share.title || share.name));
  if (error) return <ShareTrouble error={error} onRetry={refetch} />;
  if (!share) return null;
  if (!share.password_required) return <OpenImage share={share} onLost={refetch} />;
  const unlock = async (password: string) => {
    const open = await client.call('POST /s/:key/unlock', { params: { key: imageKey }, body: { password } });
    queryClient.setQueryData(shareQuery(imageKey).queryKey, open);
  };
  return <UnlockForm title={t('share.lockedTitle')} text={t('share.lockedText')} unlock={unlock} />;
}
