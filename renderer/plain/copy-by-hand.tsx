import { useEffect, useRef } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { copyKeys } from '#renderer/platform/clipboard.ts';
import { Button } from './button.tsx';
import classes from './copy-by-hand.module.css';
import { Dialog } from './dialog.tsx';

/** The last resort: the text, selected, to copy with the keyboard. */
export function CopyByHand({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog title={t('links.byHandTitle')} onClose={onClose}>
      <p className={classes.hint}>{t('links.byHandText', { keys: copyKeys() })}</p>
      <textarea
        ref={field}
        className={classes.text}
        aria-label={t('links.byHandLabel')}
        value={text}
        readOnly
        rows={3}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p className={classes.done}>
        <Button onClick={onClose}>{t('common.done')}</Button>
      </p>
    </Dialog>
  );
}
