import { Button } from '@mantine/core';
import { IconLink, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type AnyImage, amountOf, isOfOther, targetOf } from '#renderer/images/list/batch.ts';
import { imagesOf } from '#renderer/images/list/count.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { useCopyKey, useCopyLinks } from '#renderer/images/sharing/copy-links.tsx';
import { BatchMenus } from './batch-menus.tsx';

/** What the bar needs of a selection in any list. */
export type Chosen = Pick<Selection<AnyImage>, 'images' | 'sets' | 'except' | 'size' | 'has' | 'clear'>;

export interface ActionsProps {
  selection: Chosen;
  albumId: string | undefined;
  onRemove: () => void;
}

/** The gallery's actions for selected images: changes are for the user's own among them, copying for all. */
export function SelectedActions({ selection, albumId, onRemove }: ActionsProps) {
  const { t } = useTranslation();
  const copying = useCopySelected(selection);
  const target = targetOf(selection);
  const others = [...selection.images.values()].filter(isOfOther);
  const refusal = amountOf(target) === 0 ? t('members.ownersOnly') : undefined;
  return (
    <>
      <BatchMenus target={target} others={others} refusal={refusal} albumId={albumId} onDone={selection.clear} />
      <Button
        variant="default"
        size="sm"
        className={classes.labelled}
        aria-label={t('gallery.copyLinks')}
        title={copying.refusal}
        disabled={copying.refusal !== undefined}
        loading={copying.busy}
        leftSection={<IconLink size={16} />}
        onClick={copying.copy}
      >
        {t('gallery.copyLinks')}
      </Button>
      <Button
        variant="light"
        color="red"
        size="sm"
        className={classes.labelled}
        aria-label={t('common.delete')}
        title={refusal}
        disabled={refusal !== undefined}
        leftSection={<IconTrash size={16} />}
        onClick={onRemove}
      >
        {t('common.delete')}
      </Button>
    </>
  );
}

/** Links that are loaded and copied at once: a few seconds, and a text that other programs can paste. */
const MAX_LINKS = 5000;

/** Copies the links of what is selected, loading those that the page doesn't have. */
function useCopySelected(selection: Chosen) {
  const { t } = useTranslation();
  const format = useFormat();
  const copyLinks = useCopyLinks();
  const notifyError = useNotifyError();
  const [busy, setBusy] = useState(false);
  const collect = async () => {
    const images = new Map<string, AnyImage>();
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
  useCopyKey(() => {
    if (!busy && !tooMany) copy();
  });
  return { copy, busy, refusal: tooMany ? t('selection.tooManyLinks', { formatted: format.number(MAX_LINKS) }) : undefined };
}
