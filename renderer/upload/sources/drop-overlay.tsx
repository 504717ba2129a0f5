import { IconPhotoUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useVideoLimits } from '#renderer/upload/limits.ts';
import type { KnownLimits } from '#renderer/upload/queue/refusal.ts';
import classes from './drop-overlay.module.css';

interface Props {
  title: string;
  /** The options that the files will have, in a line. */
  options?: string | undefined;
  limits: KnownLimits | undefined;
  /** Whether a drop now would begin the upload. */
  active?: boolean;
  /** Other places to drop files. */
  children?: ReactNode;
}

/** Covers the page while files are dragged over it. */
export function DropOverlayFrame({ title, options, limits, active = true, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const exts = format.list(limits?.allowed_exts.map((ext) => ext.toUpperCase()) ?? []);
  const size = limits?.max_file_bytes;
  const videos = useVideoLimits(limits);
  return (
    <div className={classes.overlay} data-testid="drop-overlay">
      <div className={classes.frame} data-active={active || undefined}>
        <IconPhotoUp size={56} stroke={1.4} aria-hidden />
        <p className={classes.title}>{title}</p>
        {options && <p className={classes.options}>{options}</p>}
        {limits && (
          <p className={classes.hint}>
            {size ? t('upload.dropHint', { exts, size: format.bytes(size) }) : t('upload.dropHintNoLimit', { exts })}
          </p>
        )}
        {videos && <p className={classes.hint}>{videos}</p>}
      </div>
      {children}
    </div>
  );
}
