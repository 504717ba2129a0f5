import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconPhotoUp } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { FolderPreview as Preview } from '#api/desktop/folders.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './folders.module.css';
import { explainApp, someOf } from './folders.ts';

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
  const { count, bytes, largest, samples, seen, tooLarge, noPictures, unreadable, complete, left, free } = found;
  const isOverQuota = typeof left === 'number' && bytes > left;
  const isFull = existing && (isOverQuota || (free !== undefined && bytes > free));
  const size = format.bytes(bytes);
  const head =
    count === 0
      ? t(seen > 0 ? 'folders.nothingNew' : 'folders.noPictures')
      : t(complete ? 'folders.found' : 'folders.foundAtLeast', { count, size });
  const lines = [
    count > 0 && t(existing ? 'folders.willUpload' : 'folders.willStay', { count }),
    existing && count > 0 && largest && t('folders.largest', { name: largest.name, size: format.bytes(largest.bytes) }),
    existing && tooLarge > 0 && t('folders.tooLarge', { count: tooLarge }),
    existing && count > 0 && roomText(),
    noPictures > 0 && t('folders.empties', { count: noPictures }),
    unreadable.count > 0 && t('folders.unreadableNow', { count: unreadable.count, names: someOf(unreadable) }),
    seen > 0 && t('folders.seen', { count: seen }),
  ].filter((line) => typeof line === 'string');

  function roomText() {
    if (left === undefined) return t('folders.roomUnknown');
    if (isOverQuota) return t('folders.doesNotFit', { left: format.bytes(left ?? 0), size });
    if (isFull) return t('folders.diskFull', { left: format.bytes(free ?? 0), size });
    const room = Math.min(left ?? Number.POSITIVE_INFINITY, free ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(room) ? t('folders.fits', { left: format.bytes(room) }) : t('folders.fitsUnlimited');
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
