import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images/images.ts';
import { textQuery } from '#renderer/images/text/picture-text.ts';
import { configQuery } from '#renderer/service/queries.ts';
import type { ReadText } from './cover-text.tsx';

/** Reads the text that the server has recognised in a picture; undefined where it recognises none. */
export function useReadText({ key }: Pick<Image, 'key'>): ReadText | undefined {
  const { t } = useTranslation('editor');
  const queryClient = useQueryClient();
  const { data: config } = useQuery(configQuery);
  const read = useCallback<ReadText>(async () => {
    const { status, lines } = await queryClient.fetchQuery(textQuery(key));
    if (status === 'waiting') throw new NotReadError(t('coverText.waiting'));
    return lines;
  }, [queryClient, key, t]);
  return config?.ocr_enabled ? read : undefined;
}

/** The text isn't there yet; the message is a sentence for users. */
class NotReadError extends Error {
  override name = 'NotReadError';
}
