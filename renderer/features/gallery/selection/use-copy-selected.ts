import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { imagesOf } from '#renderer/images/list/count.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { useCopyLinks } from '#renderer/images/sharing/copy-links.tsx';

/** Links that are loaded and copied at once: a few seconds, and a text that other programs can paste. */
const MAX_LINKS = 5000;

/** Copies the links of what is selected, loading those that the page doesn't have. */
export function useCopySelected(selection: Selection<Image>) {
  const { t } = useTranslation();
  const format = useFormat();
  const copyLinks = useCopyLinks();
  const notifyError = useNotifyError();
  const [busy, setBusy] = useState(false);
  const collect = async () => {
    const images = new Map<string, Image>();
    for (const set of selection.sets) for (const image of await imagesOf(set)) images.set(image.key, image);
    return [...[...images.values()].filter(selection.has), ...selection.images.values()];
  };
  const copy = () => {
    setBusy(true);
    collect()
      .then(copyLinks)
      .catch((error) => notifyError(error))
      .finally(() => setBusy(false));
  };
  const tooMany = selection.size > MAX_LINKS;
  return { copy, busy, refusal: tooMany ? t('selection.tooManyLinks', { formatted: format.number(MAX_LINKS) }) : undefined };
}
