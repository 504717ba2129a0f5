import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { addressOf } from '#api/client.ts';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { newPosters } from '#renderer/images/address.ts';
import { showImages } from '#renderer/images/list/list.ts';
import { load } from '#renderer/service/connection.ts';
import { randomKey, sendForm } from '#renderer/upload/queue/send-form.ts';

/** Returns a function that makes a thumbnail for the shown video, of the frame that the viewer shows. */
export function useSetPoster({ key }: Image): () => void {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const set = async () => {
    const video = document.querySelector<HTMLVideoElement>('[data-stage] [data-current] video');
    const { frameOf } = await load(() => import('#renderer/upload/queue/poster.ts'));
    const file = video && (await frameOf(video));
    if (!file) return notifyError(undefined, t('viewer.thumbnailFailed'));
    const form = {
      method: 'PUT',
      address: addressOf('PUT /images/:key/poster', { params: { key } }),
      idempotencyKey: randomKey(),
    } as const;
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    const image = await sendForm<Image>({ ...form, file, name: 'poster.jpg' }, options);
    newPosters.set(key, form.idempotencyKey);
    showImages(queryClient, [image]);
    notifications.show({ color: 'petrol.7', message: t('viewer.thumbnailMade'), autoClose: 2500 });
  };
  return () => void set().catch((error) => notifyError(error));
}
