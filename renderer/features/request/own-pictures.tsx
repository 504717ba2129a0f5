import { IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { SentFile } from '#api/sharing/requests.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { load } from '#renderer/service/connection.ts';
import { ownQuery } from './queries.ts';
import classes from './request.module.css';
import { fileOf, useSender } from './sender.ts';
import { SentThumbnail } from './shown-pictures.tsx';

const Question = lazy(() => load(() => import('./question.tsx')).then((module) => ({ default: module.Question })));

interface Props {
  id: string;
  /** The pictures that the link shows. */
  shown: readonly { id: string }[];
  onRemoved: () => void;
}

/** What this sender has sent and can still remove. */
export function OwnPictures({ id, shown, onRemoved }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sent, isKept } = useSender(id);
  useQuery(ownQuery(id));
  const [asking, setAsking] = useState<SentFile>();
  if (sent.length === 0) return null;
  return (
    <section className={classes.own} aria-label={t('sending.own')}>
      <h2>{t('sending.ownCount', { formatted: format.number(sent.length) })}</h2>
      <p>{t(isKept ? 'sending.ownHint' : 'sending.notKept')}</p>
      <ul className={classes.list}>
        {sent.map((file) => (
          <li key={file.remove_url}>
            <div className={classes.row}>
              {shown.some((picture) => picture.id === fileOf(file)) ? (
                <SentThumbnail id={id} file={fileOf(file)} alt="" />
              ) : (
                <span className={classes.thumbnail}>
                  <IconPhoto size={20} stroke={1.5} aria-hidden />
                </span>
              )}
              <div className={classes.text}>
                <span title={file.name} dir="auto">
                  {file.name}
                </span>
                <span>{format.bytes(file.size)}</span>
              </div>
              <Button size="xs" variant="default" aria-label={t('sending.removeOne', { name: file.name })} onClick={() => setAsking(file)}>
                {t('sending.remove')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asking && (
        <Suspense>
          <Question id={id} file={asking} onClose={() => setAsking(undefined)} onRemoved={onRemoved} />
        </Suspense>
      )}
    </section>
  );
}
