import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { load } from '#renderer/service/connection.ts';
import type { ActionsProps, Chosen } from './selected-actions.tsx';

const LoadedActions = lazy(() => load(() => import('./selected-actions.tsx')).then((module) => ({ default: module.SelectedActions })));

interface Props {
  selection: Chosen;
  title: string;
  /** The number of images that can be selected beyond those that are; undefined where all are. */
  total: number | undefined;
  onSelectAll: () => void;
  children: ReactNode;
}

/** What is selected, with the actions for it. Replaces the header. */
export function SelectionBar({ selection, title, total, onSelectAll, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <header className={classes.header} data-selecting>
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('gallery.clear')} onClick={selection.clear}>
        <IconX size={20} />
      </ActionIcon>
      <strong role="status" className={classes.selected}>
        {t('selection.selected', { count: selection.size, formatted: format.number(selection.size) })}
      </strong>
      {total !== undefined && (
        <Button variant="subtle" size="compact-sm" className={classes.offer} onClick={onSelectAll}>
          {t('selection.selectAll', { formatted: format.number(total) })}
        </Button>
      )}
      <div className={classes.grow} />
      {children}
    </header>
  );
}

/** The gallery's actions for selected images, once they are loaded. */
export const SelectedActions = (props: ActionsProps) => (
  <Suspense>
    <LoadedActions {...props} />
  </Suspense>
);
