import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconCopy, IconTrash, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useCopying } from '../../components/copying.tsx';
import classes from './gallery.module.css';
import type { Selection } from './use-selection.ts';

/** What can be done with the selected pictures. Takes the header's place. */
export function SelectionBar({ selection, onRemove }: { selection: Selection; onRemove: (images: readonly Image[]) => void }) {
  const { t } = useTranslation();
  const { copyLinks } = useCopying();
  const images = [...selection.images.values()];
  return (
    <header className={classes.header} data-selecting>
      <VisuallyHidden component="h1">{t('nav.pictures')}</VisuallyHidden>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('gallery.clear')} onClick={selection.clear}>
        <IconX size={20} />
      </ActionIcon>
      <strong role="status" className={classes.selected}>
        {t('gallery.selected', { count: images.length })}
      </strong>
      <div className={classes.grow} />
      <Button variant="default" size="sm" leftSection={<IconCopy size={16} />} onClick={() => copyLinks(images)}>
        {t('gallery.copyLinks')}
      </Button>
      <Button
        variant="light"
        color="red"
        size="sm"
        leftSection={<IconTrash size={16} />}
        onClick={() => onRemove(images)}
        className={classes.danger}
      >
        {t('common.delete')}
      </Button>
    </header>
  );
}
