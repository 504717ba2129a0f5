import { ActionIcon, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLink, IconPhoto, IconRefresh, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#api/client.ts';
import { useAlbumName } from '#renderer/albums/albums.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import { useCopyLinks } from '#renderer/images/copy-links.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './panel.module.css';
import { useUploadQueue } from './provider.tsx';
import { canSucceed } from './refusal.ts';
import { isOpen, type UploadItem } from './types.ts';

/** One file of the upload panel, with its progress or outcome and its actions. */
export function PanelItem({ item, showAlbum }: { item: UploadItem; showAlbum?: boolean }) {
  const { t } = useTranslation();
  const album = useAlbumName(item.fields.album_id);
  return (
    <div className={classes.item} data-state={item.state}>
      <Preview item={item} />
      <div className={classes.text}>
        <span className={classes.name} title={item.name}>
          {item.name}
        </span>
        <Status item={item} album={showAlbum ? album : undefined} />
        {(item.state === 'sending' || item.state === 'processing') && (
          <Progress
            size={3}
            value={item.size ? (item.sent / item.size) * 100 : 100}
            animated={item.state === 'processing'}
            aria-label={t('upload.progress', { name: item.name })}
          />
        )}
      </div>
      <Actions item={item} />
    </div>
  );
}

function Preview({ item }: { item: UploadItem }) {
  if (item.image) return <img className={classes.preview} src={thumbnailSrc(item.image, 120)} alt="" width={40} height={40} />;
  const Icon = item.state === 'failed' ? IconAlertTriangle : IconPhoto;
  return (
    <span className={classes.preview} data-empty>
      <Icon size={20} stroke={1.5} aria-hidden />
    </span>
  );
}

/** The address leads to something else, mostly to a page that shows the picture. */
const isNoImage = (error: unknown) => error instanceof ApiError && error.code === 'ext_not_allowed';

function Status({ item, album }: { item: UploadItem; album: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const fromWeb = typeof item.source === 'string';
  if (item.state === 'failed') {
    const { what, next } = explain(item.error, fromWeb && isNoImage(item.error) ? 'not_a_picture' : undefined);
    const reason = joinSentences(what, next);
    return (
      <span className={classes.failure} title={reason}>
        {reason}
      </span>
    );
  }
  const size = item.size > 0 && format.bytes(item.size);
  const words = {
    waiting: t('upload.waiting'),
    sending: t('upload.sending', {
      percent: format.percent(item.size ? item.sent / item.size : 0),
      speed: format.bytes(item.speed),
    }),
    processing: t(fromWeb ? 'batch.fetching' : 'upload.processing'),
    done: item.reused ? t('upload.reused') : t('upload.done'),
    cancelled: t('upload.cancelled'),
  }[item.state];
  return (
    <span className={classes.status}>
      {item.state === 'done' && <IconCheck size={14} aria-hidden />}
      {[words, size, album].filter(Boolean).join(' · ')}
    </span>
  );
}

function Actions({ item }: { item: UploadItem }) {
  const { t } = useTranslation();
  const queue = useUploadQueue();
  const copyLinks = useCopyLinks();
  const { id, name, image, error } = item;
  const button = (label: string, Icon: typeof IconX, press: () => void) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={press}>
      <Icon size={18} />
    </ActionIcon>
  );
  if (image) return button(t('upload.copyOne', { name }), IconLink, () => void copyLinks([image]));
  if (isOpen(item)) return button(t('upload.cancelOne', { name }), IconX, () => queue.cancel(id));
  return (
    <>
      {canSucceed(error) && button(t('upload.retryOne', { name }), IconRefresh, () => queue.retry(id))}
      {button(t('upload.dismissOne', { name }), IconX, () => queue.dismiss(id))}
    </>
  );
}
