import { IconAlertTriangle, IconCheck, IconLink, IconPhoto, IconRefresh, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#api/client.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { thumbnailSrc } from '#renderer/images/sharing/address.ts';
import { IconButton } from '#renderer/plain/button.tsx';
import { Progress } from '#renderer/plain/progress.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import type { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { canSucceed } from '#renderer/upload/queue/refusal.ts';
import { isOpen, type UploadItem } from '#renderer/upload/queue/types.ts';
import classes from './panel-item.module.css';

interface Props {
  item: UploadItem;
  queue: UploadQueue;
  /** The name of the album that it goes into, where that needs saying. */
  album?: string | undefined;
  /** Copies the link of a finished upload. */
  onCopy: (image: Uploaded) => void;
}

/** One file of a list of uploads, with its progress or outcome and its actions. */
export function PanelItem({ item, queue, album, onCopy }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.item} data-state={item.state}>
      <Preview item={item} />
      <div className={classes.text}>
        <span className={classes.name} title={item.name}>
          {item.name}
        </span>
        <Status item={item} album={album} />
        {(item.state === 'sending' || item.state === 'processing') && (
          <Progress
            value={item.size ? (item.sent / item.size) * 100 : 100}
            busy={item.state === 'processing'}
            label={t('upload.progress', { name: item.name })}
          />
        )}
      </div>
      <Actions item={item} queue={queue} onCopy={onCopy} />
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

function Actions({ item, queue, onCopy }: Props) {
  const { t } = useTranslation();
  const { id, name, image, error } = item;
  const button = (label: string, Icon: typeof IconX, press: () => void) => (
    <IconButton label={label} onClick={press} className={classes.action}>
      <Icon size={18} />
    </IconButton>
  );
  if (image) return button(t('upload.copyOne', { name }), IconLink, () => onCopy(image));
  if (isOpen(item)) return button(t('upload.cancelOne', { name }), IconX, () => queue.cancel(id));
  return (
    <>
      {(item.state === 'cancelled' || canSucceed(error)) && button(t('upload.retryOne', { name }), IconRefresh, () => queue.retry(id))}
      {button(t('upload.dismissOne', { name }), IconX, () => queue.dismiss(id))}
    </>
  );
}
