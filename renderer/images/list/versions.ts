import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { showImages } from './list.ts';
import { offerUndo } from './undo.tsx';

const listVersions = async (key: string) => (await client.call('GET /images/:key/versions', { params: { key } })).items;

/** Returns a function that puts a version back behind the links of its picture, and shows it everywhere on the page. */
export function useRestoreVersion() {
  const queryClient = useQueryClient();
  return useCallback(
    async (key: string, version: string) => {
      showImages(queryClient, [await client.call('POST /images/:key/versions/:version/restore', { params: { key, version } })]);
      for (const queryKey of [['trash'], ['versions']]) void queryClient.invalidateQueries({ queryKey });
    },
    [queryClient],
  );
}

interface Replaced {
  title: string;
  text: string;
  /** The picture. */
  key: string;
  /** Whether a version has the file that the picture had before. */
  isBefore: (version: Pick<Image, 'key' | 'sha256'>) => boolean;
}

/**
 * Returns a function that reports that a picture has another file, and lets it be undone, on whatever page the user is then. A picture that
 * has been replaced again since stays as it is.
 */
export function useOfferVersionUndo() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const notice = useNotice();
  const restore = useRestoreVersion();
  return useCallback(
    ({ title, text, key, isBefore }: Replaced) =>
      offerUndo(notice, { title, text }, async () => {
        const end = notice.wait(t('selection.undoing'));
        try {
          const [latest] = (await listVersions(key)).filter(({ reason }) => reason === 'replaced');
          if (!latest || !isBefore(latest)) return end({ title: t('versions.final'), message: undefined });
          await restore(key, latest.key);
          end({ title: t('versions.undone'), message: t('versions.undoneText') });
        } catch (error) {
          end();
          notifyError(error);
        }
      }),
    [notice, notifyError, restore, t],
  );
}
