import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconCopy, IconTrash, IconX } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useCopyLinks } from '#renderer/images/copy-links.tsx';
import type { Selection } from '#renderer/images/use-selection.ts';
import { load } from '#renderer/service/connection.ts';
import classes from './gallery.module.css';

const BatchMenus = lazy(() => load(() => import('./batch-menus.tsx')).then((module) => ({ default: module.BatchMenus })));

interface Props {
  selection: Selection<Image>;
  title: string;
  albumId: string | undefined;
  onRemove: (images: readonly Image[]) => void;
}

/** The actions for selected images. Replaces the header. */
export function SelectionBar({ selection, title, albumId, onRemove }: Props) {
  const { t } = useTranslation();
  const copyLinks = useCopyLinks();
  const images = [...selection.images.values()];
  return (
    <header className={classes.header} data-selecting>
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('gallery.clear')} onClick={selection.clear}>
        <IconX size={20} />
      </ActionIcon>
      <strong role="status" className={classes.selected}>
        {t('gallery.selected', { count: images.length })}
      </strong>
      <div className={classes.grow} />
      <Suspense>
        <BatchMenus images={images} albumId={albumId} />
      </Suspense>
      <Button
        variant="default"
        size="sm"
        className={classes.labelled}
        aria-label={t('gallery.copyLinks')}
        leftSection={<IconCopy size={16} />}
        onClick={() => copyLinks(images)}
      >
        {t('gallery.copyLinks')}
      </Button>
      <Button
        variant="light"
        color="red"
        size="sm"
        className={classes.labelled}
        aria-label={t('common.delete')}
        leftSection={<IconTrash size={16} />}
        onClick={() => onRemove(images)}
      >
        {t('common.delete')}
      </Button>
    </header>
  );
}
