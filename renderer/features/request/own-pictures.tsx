import { IconPhoto } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TRASH_DAYS } from '#api/constants.ts';
import type { SentFile } from '#api/sharing/requests.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Dialog } from '#renderer/plain/dialog.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { ownQuery } from './queries.ts';
import classes from './request.module.css';
import { fileOf, forgetSent, senderHeaders, useSender } from './sender.ts';
import { SentThumbnail } from './shown-pictures.tsx';

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
                <span title={file.name}>{file.name}</span>
                <span>{format.bytes(file.size)}</span>
              </div>
              <Button size="xs" variant="default" aria-label={t('sending.removeOne', { name: file.name })} onClick={() => setAsking(file)}>
                {t('sending.remove')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asking && <Question id={id} file={asking} onClose={() => setAsking(undefined)} onRemoved={onRemoved} />}
    </section>
  );
}

function Question({ id, file, onClose, onRemoved }: { id: string; file: SentFile; onClose: () => void; onRemoved: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const remove = useRemoval(id, fileOf(file));
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess() {
        onClose();
        onRemoved();
      },
    });
  return (
    <Dialog title={t('sending.removeTitle', { name: file.name })} onClose={onClose}>
      {remove.error && <ErrorNotice explanation={explain(remove.error)} />}
      <p>{t('sending.removeText', { days: TRASH_DAYS })}</p>
      <p className={classes.choices}>
        <Button variant="default" onClick={onClose}>
          {t('sending.keep')}
        </Button>
        <Button loading={remove.isPending} onClick={confirm}>
          {t('sending.remove')}
        </Button>
      </p>
    </Dialog>
  );
}

/** Removes a picture that this sender has sent. */
export function useRemoval(id: string, file: string) {
  return useMutation({
    async mutationFn() {
      await client.call('POST /r/:id/remove/:file', { params: { id, file }, body: {}, headers: senderHeaders(id) });
      forgetSent(id, file);
    },
  });
}
