import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef } from 'react';
import type { Image } from '#api/images.ts';
import { dayOf } from '#renderer/i18n/format.ts';
import { type Layout, type LayoutOptions, layOut } from '#renderer/images/layout.ts';
import { hasDays, timeOf } from '#renderer/images/view.ts';
import type { Density, Timeline } from '#renderer/preference-values.ts';
import { usePreferences } from '#renderer/preferences.ts';

const HEIGHTS: Record<Density, number> = { small: 132, medium: 200, large: 300 };

/** Height that rows aim at: on a phone two or three pictures side by side, on a very wide screen not dozens. */
function rowHeight(density: Density, width: number): number {
  const scale = width < 640 ? 0.6 : width > 2200 ? 1.35 : 1;
  return Math.round(HEIGHTS[density] * scale);
}

/** The timeline's rows for the width there is. More pages only add rows; the day of a picture is worked out once. */
export function useTimelineLayout(pages: readonly (readonly Image[])[], timeline: Timeline, width: number): Layout {
  const { density } = usePreferences();
  const phone = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false });
  const options = useMemo<LayoutOptions>(() => {
    const days = new WeakMap<Image, string>();
    return {
      width,
      gap: phone ? 3 : 6,
      target: rowHeight(density, width),
      dayOf(image) {
        if (!hasDays(timeline)) return '';
        const known = days.get(image) ?? dayOf(timeOf(image, timeline));
        days.set(image, known);
        return known;
      },
    };
  }, [width, density, phone, timeline]);
  const before = useRef<Layout>(undefined);
  return useMemo(() => {
    before.current = layOut(pages, options, before.current);
    return before.current;
  }, [pages, options]);
}
