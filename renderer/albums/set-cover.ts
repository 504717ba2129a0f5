import { notifications } from '@mantine/notifications';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useChangeAlbum } from './albums.ts';

/** Returns a function that makes an image the cover of one of its albums, and reports it. */
export function useSetCover() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const change = useChangeAlbum();
  return (albumId: string, { key, name }: Pick<Image, 'key' | 'name'>) => {
    change.mutate(
      { id: albumId, cover_key: key },
      {
        onSuccess: () => notifications.show({ color: 'petrol.7', title: t('albums.coverSet'), message: name, autoClose: 2500 }),
        onError: (error) => notifyError(error),
      },
    );
  };
}
