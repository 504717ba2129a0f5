import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useRefusal } from '#renderer/service/field-error.ts';
import classes from './admin.module.css';

interface Props<Changes extends object> {
  /** The changed values by name; the form can be saved while there are any. */
  changes: Changes;
  /** True while the service would refuse what was entered. */
  invalid?: boolean;
  change: { isPending: boolean; error: unknown; mutate: (changes: Changes) => void };
  onReset: () => void;
  children: ReactNode;
}

/** A long form, whose buttons stay visible at its end. */
export function SaveForm<Changes extends object>({ changes, invalid = false, change, onReset, children }: Props<Changes>) {
  const { t } = useTranslation('admin');
  const explain = useExplain();
  const { form, unplaced } = useRefusal(change.error);
  const changed = Object.keys(changes).length > 0;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(changes);
      }}
    >
      {children}
      <Unsaved when={changed} />
      {unplaced !== null && <ErrorNotice explanation={explain(unplaced)} />}
      <div className={classes.saveBar} data-at-foot>
        <p role="status" className={classes.unsaved}>
          {changed && t('unsaved')}
        </p>
        {changed && (
          <Button variant="default" onClick={onReset} disabled={change.isPending}>
            {t('discard')}
          </Button>
        )}
        <Button type="submit" loading={change.isPending} disabled={!changed || invalid}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
