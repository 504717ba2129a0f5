import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Image } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useChangeImage } from '#renderer/images/list/change.ts';
import { showImages } from '#renderer/images/list/list.ts';
import { useOfferVersionUndo } from '#renderer/images/list/versions.ts';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { useLinkStyle } from '#renderer/service/account.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** How a picture was saved: as one of its own, or in place of the file that it had. */
export type SaveKind = 'copy' | 'replace';

/**
 * Returns a function that shows a saved picture everywhere on the page, copies the link of a copy, and reports it; a replacement can be undone. `original` is the
 * picture as it was, `covers` whether the saved one hides something that others still see in it.
 */
export function useShowSaved() {
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const copy = useCopy();
  const style = useLinkStyle();
  const queryClient = useQueryClient();
  const warn = useWarnOfOriginal();
  const offerUndo = useOfferVersionUndo();
  return useCallback(
    (kind: SaveKind, saved: Uploaded, original: Image, covers = false) => {
      showImages(queryClient, [saved]);
      for (const queryKey of [limitsQuery.queryKey, ['albums'], ['tags'], ['trash'], ['versions'], ['images', 'count']])
        void queryClient.invalidateQueries({ queryKey });
      if (kind === 'replace' && !saved.reused) {
        const isBefore = ({ sha256 }: Pick<Image, 'sha256'>) => sha256 === original.sha256;
        return offerUndo({ title: t('replaced'), text: t('replacedText'), key: saved.key, isBefore });
      }
      const show = (title: string, message: string) => notifications.show({ color: 'petrol.7', autoClose: 6000, title, message });
      if (kind === 'replace') return void show(t('same'), t('sameText'));
      const copying = getPreferences().copyAfterUpload ? copy(styledLinks([saved], style), { quiet: true }) : Promise.resolve(false);
      void copying.then((isCopied) => {
        const link = isCopied ? joinSentences(t('copiedLink'), saved.visibility === 'private' ? common('links.privateHint') : '') : '';
        if (covers && original.visibility === 'public') warn(original, link);
        else show(t('copied'), joinSentences(link, t('copiedText')));
      });
    },
    [queryClient, offerUndo, copy, style, t, common, warn],
  );
}

const WARNING = 'original-shows-covered';

/** Returns a function that says that an original still shows what its copy covers, and offers to make it private. */
function useWarnOfOriginal() {
  const { t } = useTranslation('editor');
  const notifyError = useNotifyError();
  const { mutateAsync } = useChangeImage();
  return useCallback(
    (image: Image, link: string) => {
      const hide = () => {
        notifications.hide(WARNING);
        // The promise, since the editor is gone by then.
        mutateAsync({ image, change: { visibility: 'private' } }).then(
          () => notifications.show({ color: 'petrol.7', title: t('originalHidden'), message: undefined, autoClose: 4000 }),
          (error) => notifyError(error),
        );
      };
      notifications.show({
        id: WARNING,
        color: 'orange.8',
        autoClose: false,
        title: t('copied'),
        message: (
          <>
            {joinSentences(link, t('copiedCovers'))}
            <br />
            <Button size="compact-sm" variant="light" mt={6} onClick={hide}>
              {t('hideOriginal')}
            </Button>
          </>
        ),
      });
    },
    [t, mutateAsync, notifyError],
  );
}
