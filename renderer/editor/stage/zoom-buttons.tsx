import { ActionIcon } from '@mantine/core';
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#renderer/editor/editor.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import type { ShownView } from './use-view.ts';

const STEP = 1.4;

/** Zooms in, out, and back to the whole picture. */
export function ZoomButtons({ shown }: { shown: ShownView }) {
  const { t } = useTranslation('editor');
  const format = useFormat();
  const look = { variant: 'subtle', color: 'gray', size: '2.25rem' } as const;
  return (
    <div className={classes.zoom}>
      <ActionIcon {...look} aria-label={t('zoomOut')} title={t('zoomOut')} onClick={() => shown.zoom(1 / STEP)}>
        <IconMinus size={18} />
      </ActionIcon>
      <output className={classes.percent} aria-label={t('zoom')}>
        {format.percent(shown.view.scale)}
      </output>
      <ActionIcon {...look} aria-label={t('zoomIn')} title={t('zoomIn')} onClick={() => shown.zoom(STEP)}>
        <IconPlus size={18} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={t('fit')} title={t('fit')} disabled={shown.isFitted} onClick={shown.fit}>
        <IconMaximize size={18} />
      </ActionIcon>
    </div>
  );
}
