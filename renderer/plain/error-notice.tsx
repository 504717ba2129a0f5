import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { Explanation } from '#renderer/service/explain.ts';
import { Button } from './button.tsx';
import classes from './notice.module.css';

/** An inline error message, with what to do next. */
export function ErrorNotice({ explanation, onRetry }: { explanation: Explanation; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice tone="red" title={explanation.what} role="alert">
      {explanation.next && <p>{explanation.next}</p>}
      {onRetry && (
        <Button size="xs" variant="default" className={classes.retry} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </Notice>
  );
}

interface NoticeProps {
  tone: 'red' | 'orange';
  title: string;
  role?: 'alert';
  children?: ReactNode;
}

/** A coloured box with something to notice. */
export function Notice({ tone, title, role, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <IconAlertTriangle size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}
