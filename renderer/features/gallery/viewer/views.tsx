import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images/images.ts';
import { DayBars } from '#renderer/components/day-bars.tsx';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { client } from '#renderer/service/client.ts';
import classes from './viewer.module.css';

const DAYS = 30;

/** A chart of an image's views per day; nothing while it has none. */
export function Views({ image }: { image: Image }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['images', 'views', image.key],
    queryFn: ({ signal }) => client.call('GET /images/:key/views', { params: { key: image.key }, query: { days: DAYS }, signal }),
    enabled: image.views > 0,
  });
  if (!data?.total) return null;
  const main = data.sources.find(({ host }) => host !== null)?.host;
  // A limit counts only views since it was set.
  const counted = image.max_views - (image.views_left ?? 0);
  return (
    <figure className={classes.views}>
      <DayBars days={data.days} label={t('library.viewsChart', { count: data.total })} />
      <figcaption>
        {joinSentences(
          [t('library.viewsChart', { count: data.total }), main && t('views.mostlyFrom', { host: main })].filter(Boolean).join(' · '),
          image.max_views > 0 && data.total > counted ? t('library.viewsBefore') : '',
        )}
      </figcaption>
    </figure>
  );
}
