import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { IconButton } from './button.tsx';
import classes from './dialog.module.css';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog above the page, open while it is mounted. The browser keeps the focus in it, and returns it afterwards. */
export function Dialog({ title, onClose, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton label={t('common.close')} onClick={() => dialog.current?.close()}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </header>
      {children}
    </dialog>
  );
}
