import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconPhotoUp } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { FolderPreview as Preview } from '#api/desktop/folders.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './folders.module.css';
import { explainApp } from './folders.ts';

interface Props {
  preview: UseQueryResult<Preview>;
  /** Whether to upload the pictures that are already there. */
  existing: boolean;
  /** The folder isn't watched yet. */
  isNew: boolean;
}

/** What a folder holds: how many pictures, how large, whether they fit, and what happens to them. */
export function FolderPreview({ preview: { data, isError, error, isFetching }, existing, isNew }: Props) {
  const { t } = useTranslation();
  if (isError) return isNew ? <ErrorNotice explanation={explainApp(error)} /> : null;
  if (!data)
    return (
      <div className={classes.preview} role="status">
        <Loader size="sm" />
        <p>{t('folders.counting')}</p>
      </div>
    );
  return <Found found={data} existing={existing} busy={isFetching} />;
}

function Found({ found, existing, busy }: { found: Preview; existing: boolean; busy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { count, bytes, largest, samples, seen, tooLarge, complete, left } = found;
  const isFull = existing && typeof left === 'number' && bytes > left;
  const size = format.bytes(bytes);
  const head =
    count === 0
      ? t(seen > 0 ? 'folders.nothingNew' : 'folders.noPictures')
      : t(complete ? 'folders.found' : 'folders.foundAtLeast', { count, size });
  const lines = [
    count > 0 && t(existing ? 'folders.willUpload' : 'folders.willStay', { count }),
    existing && count > 0 && largest && t('folders.largest', { name: largest.name, size: format.bytes(largest.bytes) }),
    existing && tooLarge > 0 && t('folders.tooLarge', { count: tooLarge }),
    existing && count > 0 && roomText(left),
    seen > 0 && t('folders.seen', { count: seen }),
  ].filter((line) => typeof line === 'string');

  function roomText(room: number | null | undefined) {
    if (room === undefined) return t('folders.roomUnknown');
    if (room === null) return t('folders.fitsUnlimited');
    return t(isFull ? 'folders.doesNotFit' : 'folders.fits', { left: format.bytes(room), size });
  }

  const Icon = isFull ? IconAlertTriangle : IconPhotoUp;
  return (
    <section className={classes.preview} data-problem={isFull || undefined} aria-busy={busy} aria-label={t('folders.preview')}>
      <Icon size={26} stroke={1.4} aria-hidden />
      <div role="status">
        <strong>{head}</strong>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {existing && samples.length > 0 && <p className={classes.samples}>{samples.join(' · ')}</p>}
      </div>
    </section>
  );
}
