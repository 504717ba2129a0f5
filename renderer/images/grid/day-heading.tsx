import { Checkbox } from '@mantine/core';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { GridImages } from '#renderer/images/grid-images.ts';
import classes from './grid.module.css';
import type { DayProps } from './grid.tsx';
import type { RowDay } from './layout.ts';
import type { GridImage } from './tile.tsx';

/** The heading of a day, which selects all of its images. */
export function DayHeading<T extends GridImage>({ part, height, images, selection }: DayProps<T>) {
  const { t } = useTranslation();
  const format = useFormat();
  const day = format.day(part.day);
  const known = selection ? imagesOf(part, images) : [];
  const loaded = { day: part.day, images: known, complete: known.length === part.end - part.first };
  const state = selection?.stateOfDay(loaded) ?? 'none';
  return (
    <div className={classes.day} style={{ left: part.left, maxWidth: part.width, height }} data-chosen={state !== 'none' || undefined}>
      <h2 title={day}>{day}</h2>
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

function imagesOf<T extends GridImage>({ first, end }: RowDay, images: GridImages<T>): readonly T[] {
  const loaded: T[] = [];
  for (let index = first; index < end; index += 1) {
    const image = images.at(index);
    if (image) loaded.push(image);
  }
  return loaded;
}
