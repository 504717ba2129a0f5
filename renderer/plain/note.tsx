import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from './button.tsx';
import classes from './note.module.css';

interface Props {
  icon: ReactNode;
  children: ReactNode;
  /** Milliseconds until it closes itself. Without, it has a button that closes it. */
  duration?: number;
  onClose: () => void;
}

/** A short message at the bottom of the page. */
export function Note({ icon, children, duration, onClose }: Props) {
  const { t } = useTranslation();
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (duration === undefined) return;
    const timer = setTimeout(() => close.current(), duration);
    return () => clearTimeout(timer);
  }, [duration]);
  return (
    <div className={classes.note} role="status">
      {icon}
      <p>{children}</p>
      {duration === undefined && (
        <Button size="xs" variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      )}
    </div>
  );
}
