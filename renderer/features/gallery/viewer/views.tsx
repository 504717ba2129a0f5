import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';
import classes from './viewer.module.css';

const DAYS = 30;
const HEIGHT = 44;

/** A chart of an image's views per day; nothing while it has none. */
export function Views({ image }: { image: Image }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['images', 'views', image.key],
    queryFn: ({ signal }) => client.call('GET /images/:key/views', { params: { key: image.key }, query: { days: DAYS }, signal }),
    enabled: image.views > 0,
  });
  if (!data?.total) return null;
  const max = Math.max(...data.days.map(({ views }) => views));
  const width = 100 / data.days.length;
  // A limit counts only views since it was set.
  const counted = image.max_views - (image.views_left ?? 0);
  return (
    <figure className={classes.views}>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={t('library.viewsChart', { count: data.total })}>
        {data.days.map(({ date, views }, index) => {
          const height = views ? Math.max(2, (views / max) * HEIGHT) : 0.75;
          return (
            <rect key={date} x={index * width} y={HEIGHT - height} width={width * 0.72} height={height} data-none={!views || undefined}>
              <title>{`${format.date(`${date}T12:00:00`)}: ${format.number(views)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        {t('library.viewsChart', { count: data.total })}
        {image.max_views > 0 && data.total > counted && ` ${t('library.viewsBefore')}`}
      </figcaption>
    </figure>
  );
}
