import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { arrivedKey, refreshHead } from '#renderer/images/list/list.ts';
import type { ImageView } from '#renderer/images/list/view.ts';
import { mayGrow, onStir } from '#renderer/images/stillness.ts';
import classes from './arrivals.module.css';

/** Says how many new images wait until the user is at the beginning of the list and points elsewhere, and leads there. */
export function Arrivals({ view }: { view: ImageView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: count = 0 } = useQuery<number>({ queryKey: arrivedKey(view), queryFn: skipToken });
  // The banner reports a lost connection.
  const show = useCallback(() => void refreshHead(queryClient, view).catch(() => undefined), [queryClient, view]);
  useEffect(() => {
    if (count === 0) return;
    const stop = onStir(() => {
      if (!mayGrow()) return;
      stop();
      show();
    });
    return stop;
  }, [count, show]);
  return (
    <div className={classes.place} role="status">
      {count > 0 && (
        <Button
          className={classes.pill}
          size="xs"
          radius="xl"
          leftSection={<IconArrowUp size={16} />}
          onClick={() => {
            window.scrollTo({ top: 0, behavior: 'instant' });
            show();
          }}
        >
          {t('gallery.arrived', { formatted: format.number(count) })}
        </Button>
      )}
    </div>
  );
}
