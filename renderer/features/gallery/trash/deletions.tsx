import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useUndoBatchNotice } from '#renderer/features/gallery/selection/use-undo.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { batchesQuery } from './change-trash.ts';
import classes from './trash.module.css';

/** Deletions that are shown until the user asks for all. */
const SHOWN = 3;

/** Deletions of several pictures, each of which can be restored as a whole. */
export function Deletions() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: batches = [] } = useQuery(batchesQuery);
  const [all, setAll] = useState(false);
  const restore = useUndoBatchNotice(useNotice());
  if (batches.length === 0) return null;
  return (
    <section className={classes.deletions} aria-labelledby="deletions">
      <h2 id="deletions">{t('trash.deletions')}</h2>
      <ul>
        {batches.slice(0, all ? undefined : SHOWN).map(({ undo, count, deleted_at }) => {
          const pictures = t('gallery.count', { count, formatted: format.number(count) });
          const date = format.moment(deleted_at);
          return (
            <li key={undo}>
              <IconTrash size={18} stroke={1.7} aria-hidden />
              <span>
                <b>{pictures}</b> <span>{date}</span>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={t('trash.restoreDeletion', { pictures, date })}
                onClick={() => void restore({ tokens: [undo], action: 'trash', images: [], more: true })}
              >
                {t('trash.restoreThese')}
              </Button>
            </li>
          );
        })}
      </ul>
      {batches.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t('trash.allDeletions', { formatted: format.number(batches.length) })}
        </Button>
      )}
    </section>
  );
}
