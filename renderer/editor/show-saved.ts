import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Uploaded } from '#api/upload.ts';
import { showImages } from '#renderer/images/list.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** How a picture was saved: as one of its own, or in place of the file that it had. */
export type SaveKind = 'copy' | 'replace';

/** Returns a function that shows a saved picture everywhere on the page, and reports it. */
export function useShowSaved() {
  const { t } = useTranslation('editor');
  const queryClient = useQueryClient();
  return useCallback(
    (kind: SaveKind, saved: Uploaded) => {
      showImages(queryClient, [saved]);
      for (const queryKey of [limitsQuery.queryKey, ['albums'], ['tags'], ['trash'], ['images', 'count']])
        void queryClient.invalidateQueries({ queryKey });
      const texts = { copy: ['copied', 'copiedText'], replace: ['replaced', 'replacedText'], same: ['same', 'sameText'] } as const;
      const [title, message] = texts[kind === 'replace' && saved.reused ? 'same' : kind];
      notifications.show({ color: 'petrol.7', autoClose: 6000, title: t(title), message: t(message) });
    },
    [queryClient, t],
  );
}
