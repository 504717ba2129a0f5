import { IconPhoto } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ApiError } from '#api/client.ts';
import type { ClosedReason } from '#api/errors.ts';
import { FORMATS, formatsWith } from '#api/formats.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';
import { type RowProps, UploadRow } from '#renderer/upload/panel/panel-item.tsx';
import type { Item, Sent } from './queue.ts';
import classes from './request.module.css';

/** The formats that phones and computers make, by the names that people know. */
export const USUAL: readonly string[] = formatsWith('usual').map((name) => FORMATS[name].allowedAs[0]);

interface Props {
  items: readonly Item[];
  queue: RowProps<Sent>['queue'];
  /** Why the link takes no more: what it has refused can't be sent again then. */
  closed: ClosedReason | undefined;
}

/** What hasn't arrived. */
export function Queued({ items, queue, closed }: Props) {
  const { t } = useTranslation();
  const failureOf = useFailure();
  const left = items.filter(({ state }) => state !== 'done');
  if (left.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('sending.queue')}>
      {left.map((item) => (
        <li key={item.id}>
          <UploadRow
            item={item}
            queue={queue}
            preview={item.state !== 'failed' && item.source instanceof File ? <Preview file={item.source} /> : undefined}
            failure={failureOf(item.error)}
            retryWords={t('sending.retry')}
            isFinal={closed !== undefined && item.error instanceof ApiError && item.error.code === 'request_closed'}
          />
        </li>
      ))}
    </ul>
  );
}

/** Returns a function that says in plain words why a picture can't be sent; undefined where the general explanation is good enough. */
function useFailure() {
  const { t } = useTranslation();
  const format = useFormat();
  return (error: unknown): string | undefined => {
    if (!(error instanceof ApiError || error instanceof LocalRefusal)) return undefined;
    const { code, max_bytes } = error.details;
    if (code === 'damaged_image') return t('sending.damaged');
    if (code === 'ext_not_allowed' || code === 'heic_unsupported')
      return t('sending.wrongKind', { formats: format.choice(USUAL.map((ext) => ext.toUpperCase())) });
    if (code === 'file_too_large' && max_bytes) return t('sending.tooLarge', { max: format.bytes(max_bytes) });
    return error instanceof ApiError && error.details.reason ? t(`sending.${error.details.reason}Title`) : undefined;
  };
}

/** A picture that is about to be sent, as far as the browser can show its format. */
function Preview({ file }: { file: File }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  if (source) return <img className={classes.thumbnail} src={source} alt="" loading="lazy" onError={() => setSource(undefined)} />;
  return (
    <span className={classes.thumbnail}>
      <IconPhoto size={20} stroke={1.5} aria-hidden />
    </span>
  );
}
