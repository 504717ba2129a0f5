import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Image } from '#api/images/images.ts';
import type { ViewSource } from '#api/images/view-sources.ts';
import { DayBars } from '#renderer/components/day-bars.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from './address.ts';
import classes from './view-report.module.css';

type Shown = Omit<Image, 'albums'>;

interface Report<T extends Shown> {
  total: number;
  days: readonly { date: string; views: number }[];
  images: readonly { image: T; views: number }[];
  sources: readonly ViewSource[];
  counts_sources: boolean;
}

interface Props<T extends Shown> {
  report: Report<T>;
  /** More about an image, below its name. */
  about?: (image: T) => ReactNode;
}

/** The most viewed pictures, the views per day, and where views come from. */
export function ViewReport<T extends Shown>({ report, about }: Props<T>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, days, images, sources, counts_sources } = report;
  const sum = t('views.total', { count: total, formatted: format.number(total), days: days.length });
  if (total === 0) return <Text c="dimmed">{t('views.none', { days: days.length })}</Text>;
  return (
    <>
      <figure className={classes.days}>
        <DayBars days={days} label={sum} />
        <figcaption>{sum}</figcaption>
      </figure>
      <div className={classes.columns}>
        <section>
          <h2 id="most-viewed">{t('views.pictures')}</h2>
          <ol className={classes.list} aria-labelledby="most-viewed">
            {images.map(({ image, views }) => (
              <Row key={image.key} views={views} most={images[0]?.views ?? 1}>
                <a href={`/s/${image.key}`} className={classes.picture}>
                  <img src={thumbnailSrc(image, 120)} alt="" loading="lazy" />
                  <span>
                    {image.title || image.name}
                    {about && <small>{about(image)}</small>}
                  </span>
                </a>
              </Row>
            ))}
          </ol>
        </section>
        <section>
          <h2 id="view-sources">{t('views.sources')}</h2>
          {sources.length > 0 && (
            <ol className={classes.list} aria-labelledby="view-sources">
              {sources.map(({ host, views }) => (
                <Row key={host ?? ''} views={views} most={sources[0]?.views ?? 1}>
                  <span className={classes.host}>{host ?? t('views.otherHosts')}</span>
                </Row>
              ))}
            </ol>
          )}
          {counts_sources && !sources.length && <p>{t('views.noSources')}</p>}
          <p className={classes.hint}>{t(counts_sources ? 'views.sourcesHint' : 'views.sourcesOff')}</p>
        </section>
      </div>
    </>
  );
}

function Row({ views, most, children }: { views: number; most: number; children: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
      {children}
      <span className={classes.count}>{t('views.count', { count: views, formatted: format.number(views) })}</span>
      <span className={classes.share} style={{ inlineSize: `${(views / Math.max(1, most)) * 100}%` }} aria-hidden />
    </li>
  );
}
