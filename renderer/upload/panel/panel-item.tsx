import { IconAlertTriangle, IconCheck, IconLink, IconPhoto, IconRefresh, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '#api/client.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import { keepSize } from '#renderer/images/grid/keep-size.ts';
import { Button, IconButton } from '#renderer/plain/button.tsx';
import { Progress } from '#renderer/plain/progress.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import type { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { canSucceed } from '#renderer/upload/queue/refusal.ts';
import { isOpen, type Stored, type UploadItem } from '#renderer/upload/queue/types.ts';
import classes from './panel-item.module.css';

export interface RowProps<Result extends Stored> {
  item: UploadItem<Result>;
  queue: Pick<UploadQueue<Result>, 'cancel' | 'retry' | 'dismiss'>;
  /** The name of the album that it goes into, where that needs saying. */
  album?: string | undefined;
  /** In place of a symbol. */
  preview?: ReactNode;
  /** The action of a finished upload. */
  action?: ReactNode;
  /** Why it failed, in place of the usual explanation. */
  failure?: string | undefined;
  /** The text of the button that retries, in place of its symbol. */
  retryWords?: string | undefined;
  /** Another attempt can't help at the moment. */
  isFinal?: boolean;
}

interface Props extends Omit<RowProps<Uploaded>, 'action' | 'failure' | 'retryWords' | 'isFinal'> {
  /** Copies the link of a finished upload. */
  onCopy: (image: Uploaded) => void;
}

/** An upload in a list, whose link can be copied once it is finished. */
export function PanelItem({ onCopy, ...row }: Props) {
  const { t } = useTranslation();
  const { image, name } = row.item;
  if (!image) return <UploadRow {...row} />;
  const preview = <img className={classes.preview} src={thumbnailSrc(image, 120)} alt="" width={40} height={40} onLoad={keepSize} />;
  const action = (
    <IconButton label={t('upload.copyOne', { name })} onClick={() => onCopy(image)} className={classes.action}>
      <IconLink size={18} />
    </IconButton>
  );
  return <UploadRow {...row} preview={preview} action={action} />;
}

/** One file of a list of uploads, with its progress or outcome and its actions. */
export function UploadRow<Result extends Stored>({ item, queue, album, preview, action, failure, ...retrying }: RowProps<Result>) {
  const { t } = useTranslation();
  return (
    <div className={classes.item} data-state={item.state}>
      {preview ?? <StateIcon failed={item.state === 'failed'} done={item.state === 'done'} />}
      <div className={classes.text}>
        <span className={classes.name} title={item.name} dir="auto">
          {item.name}
        </span>
        <Status item={item} album={album} failure={failure} existing={nameOf(item.image)} />
        {(item.state === 'sending' || item.state === 'processing') && (
          <Progress
            value={item.size ? (item.sent / item.size) * 100 : 100}
            busy={item.state === 'processing'}
            label={t('upload.progress', { name: item.name })}
          />
        )}
      </div>
      {item.image ? action : <Actions item={item} queue={queue} {...retrying} />}
    </div>
  );
}

export function StateIcon({ failed, done }: { failed?: boolean; done?: boolean }) {
  const Icon = failed ? IconAlertTriangle : done ? IconCheck : IconPhoto;
  return (
    <span className={classes.preview} data-empty>
      <Icon size={20} stroke={1.5} aria-hidden />
    </span>
  );
}

/** The address leads to something else, mostly to a page that shows the picture. */
const isNoImage = (error: unknown) => error instanceof ApiError && error.code === 'ext_not_allowed';

/** The name of the stored picture, where the uploader may know it. */
const nameOf = (image: Stored | undefined) => (image && 'name' in image && typeof image.name === 'string' ? image.name : undefined);

interface StatusProps {
  item: Omit<UploadItem, 'image'>;
  album: string | undefined;
  failure: string | undefined;
  /** The name of the picture that the upload has led to. */
  existing: string | undefined;
}

function Status({ item, album, failure, existing }: StatusProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const fromWeb = typeof item.source === 'string';
  if (item.state === 'failed') {
    const { what, next } = explain(item.error, fromWeb && isNoImage(item.error) ? 'not_a_picture' : undefined);
    const reason = failure ?? joinSentences(what, next);
    return (
      <span className={classes.failure} title={reason}>
        {reason}
      </span>
    );
  }
  const size = item.size > 0 && format.bytes(item.size);
  const reused = existing && existing !== item.name ? t('upload.reusedAs', { name: existing }) : t('upload.reused');
  const words = {
    waiting: t('upload.waiting'),
    sending: item.speed
      ? t('upload.sending', { percent: format.percent(item.sent / item.size), speed: format.bytes(item.speed) })
      : t('upload.waiting'),
    processing: t(fromWeb ? 'batch.fetching' : 'upload.processing'),
    done: item.reused ? reused : t('upload.done'),
    cancelled: t('upload.cancelled'),
  }[item.state];
  return (
    <span className={classes.status}>
      {item.state === 'done' && <IconCheck size={14} aria-hidden />}
      {[words, size, album].filter(Boolean).join(' · ')}
    </span>
  );
}

type ActionsProps = Pick<RowProps<Stored>, 'queue' | 'retryWords' | 'isFinal'> & { item: Omit<UploadItem, 'image'> };

function Actions({ item, queue, retryWords, isFinal }: ActionsProps) {
  const { t } = useTranslation();
  const { id, name, error } = item;
  const button = (label: string, Icon: typeof IconX, press: () => void) => (
    <IconButton label={label} onClick={press} className={classes.action}>
      <Icon size={18} />
    </IconButton>
  );
  if (isOpen(item)) return button(t('upload.cancelOne', { name }), IconX, () => queue.cancel(id));
  const canRetry = !isFinal && (item.state === 'cancelled' || canSucceed(error));
  const retryLabel = t('upload.retryOne', { name });
  return (
    <>
      {canRetry && !retryWords && button(retryLabel, IconRefresh, () => queue.retry(id))}
      {canRetry && retryWords && (
        <Button size="xs" variant="default" aria-label={retryLabel} onClick={() => queue.retry(id)}>
          {retryWords}
        </Button>
      )}
      {button(t('upload.dismissOne', { name }), IconX, () => queue.dismiss(id))}
    </>
  );
}
