import { useMutation } from '@tanstack/react-query';
import { TRASH_DAYS } from '#api/constants.ts';
import type { SentFile } from '#api/sharing/requests.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Dialog } from '#renderer/plain/dialog.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './request.module.css';
import { fileOf, forgetSent, senderHeaders } from './sender.ts';

/** Asks before a picture is removed. */
export function Question({ id, file, onClose, onRemoved }: { id: string; file: SentFile; onClose: () => void; onRemoved: () => void }) {
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
