import { Button } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Deletion } from '#api/sharing/shares.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { thumbnailSrc } from '#renderer/images/sharing/address.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './delete.module.css';

interface Props {
  image: Deletion;
  pending: boolean;
  /** The error of the last attempt. */
  error: Error | null;
  onDelete: () => void;
  onKeep: () => void;
}

/** Shows an image and asks before deleting it. */
export function Question({ image, pending, error, onDelete, onKeep }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const { key, name, ext, size, width, height, created_at, thumbnail_url, permanent } = image;
  const pixels = `${width} × ${height}`;
  return (
    <section className={classes.question}>
      <div className={classes.image}>
        {/* The response's address is meant for others; load the same thumbnail from the page's own origin. */}
        {thumbnail_url ? <img src={thumbnailSrc({ key }, 800)} alt={name} /> : <IconPhotoOff size={48} stroke={1.2} aria-hidden />}
      </div>
      <h1>{t('deletion.title')}</h1>
      <p className={classes.name}>{name}</p>
      <p className={classes.facts}>{[pixels, format.bytes(size), ext.toUpperCase()].join(' · ')}</p>
      <p className={classes.facts}>{t('deletion.uploaded', { date: format.moment(created_at) })}</p>
      <p>{permanent ? t('deletion.permanent') : t('deletion.trash')}</p>
      {error && <ErrorNotice explanation={explain(error)} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onKeep}>
          {t('deletion.keep')}
        </Button>
        <Button color="red.8" loading={pending} onClick={onDelete}>
          {t('deletion.confirm')}
        </Button>
      </div>
    </section>
  );
}
