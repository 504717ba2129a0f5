import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Image } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useChangeImage } from '#renderer/images/list/change.ts';
import { showImages } from '#renderer/images/list/list.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** How a picture was saved: as one of its own, or in place of the file that it had. */
export type SaveKind = 'copy' | 'replace';

/**
 * Returns a function that shows a saved picture everywhere on the page, and reports it. `uncovered` is the original of a copy with covers:
 * if others can open it, they still see what the copy hides.
 */
export function useShowSaved() {
  const { t } = useTranslation('editor');
  const queryClient = useQueryClient();
  const warn = useWarnOfOriginal();
  return useCallback(
    (kind: SaveKind, saved: Uploaded, uncovered?: Image) => {
      showImages(queryClient, [saved]);
      for (const queryKey of [limitsQuery.queryKey, ['albums'], ['tags'], ['trash'], ['images', 'count']])
        void queryClient.invalidateQueries({ queryKey });
      if (kind === 'copy' && uncovered?.visibility === 'public') return warn(uncovered);
      const texts = { copy: ['copied', 'copiedText'], replace: ['replaced', 'replacedText'], same: ['same', 'sameText'] } as const;
      const [title, message] = texts[kind === 'replace' && saved.reused ? 'same' : kind];
      notifications.show({ color: 'petrol.7', autoClose: 6000, title: t(title), message: t(message) });
    },
    [queryClient, t, warn],
  );
}

const WARNING = 'original-shows-covered';

/** Returns a function that says that an original still shows what its copy covers, and offers to make it private. */
function useWarnOfOriginal() {
  const { t } = useTranslation('editor');
  const notifyError = useNotifyError();
  const { mutateAsync } = useChangeImage();
  return useCallback(
    (image: Image) => {
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
            {t('copiedCovers')}
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
