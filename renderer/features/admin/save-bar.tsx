import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './admin.module.css';

interface Props {
  /** Whether there is something to save. */
  changed: boolean;
  change: { isPending: boolean; error: unknown };
  onReset: () => void;
}

/** Stays visible at the end of a long form, and can be used while it has unsaved changes. */
export function SaveBar({ changed, change, onReset }: Props) {
  const { t } = useTranslation('admin');
  const explain = useExplain();
  return (
    <>
      <Unsaved when={changed} />
      {change.error !== null && <ErrorNotice explanation={explain(change.error)} />}
      <div className={classes.saveBar}>
        <p role="status" className={classes.unsaved}>
          {changed && t('unsaved')}
        </p>
        {changed && (
          <Button variant="default" onClick={onReset} disabled={change.isPending}>
            {t('discard')}
          </Button>
        )}
        <Button type="submit" loading={change.isPending} disabled={!changed}>
          {t('save')}
        </Button>
      </div>
    </>
  );
}
