import type { WatchFolder } from '#api/desktop/folders.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './folder-state.module.css';

/** What a watch folder is doing, in a word and a colour. */
export function FolderState({ state }: Pick<WatchFolder['status'], 'state'>) {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-state={state}>
      {t(`folders.states.${state}`)}
    </span>
  );
}
