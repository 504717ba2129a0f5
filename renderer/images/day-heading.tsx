import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#renderer/i18n/format.ts';
import classes from './grid.module.css';
import type { DayProps } from './grid.tsx';
import type { DayRow, Layout } from './layout.ts';
import type { GridImage } from './tile.tsx';

/** The heading of a day's images, with a checkbox that selects them. */
export function DayHeading<T extends GridImage>({ row, layout, more, selection }: DayProps<T>) {
  const { t } = useTranslation();
  const day = useFormat().day(row.day);
  const images = selection ? imagesOf(row, layout) : [];
  // The last of the loaded days may have more.
  const loaded = { day: row.day, images, complete: !more || row.first + images.length < layout.images.length };
  const state = selection?.stateOfDay(loaded) ?? 'none';
  return (
    <div className={classes.day} data-chosen={state !== 'none' || undefined}>
      <h2>{day}</h2>
      {selection && (
        <Checkbox
          size="1.5rem"
          radius="xl"
          aria-label={t('gallery.selectDay', { day })}
          checked={state === 'all'}
          indeterminate={state === 'some'}
          onChange={() => selection.toggleDay(loaded)}
        />
      )}
    </div>
  );
}

function imagesOf<T extends GridImage>({ first, day }: DayRow, { images, options }: Layout<T>): readonly T[] {
  let end = first;
  while (end < images.length && options.dayOf(images[end] as T) === day) end += 1;
  return images.slice(first, end);
}
