import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { linkIn } from '../../../images/links.ts';
import { LINK_FORMATS } from '../../../preference-values.ts';
import classes from './viewer.module.css';

/** What is known about a picture, and its links in every format. */
export function Details({ image }: { image: Image }) {
  const { t } = useTranslation();
  return (
    <aside className={classes.details} aria-label={t('viewer.details')}>
      <h3>{t('links.title')}</h3>
      <ul className={classes.links}>
        {LINK_FORMATS.map((format) => {
          const text = linkIn(image.links, format);
          return (
            <li key={format}>
              <div>
                <span className={classes.format}>{t(`links.${format}`)}</span>
                <code title={text}>{text}</code>
              </div>
              <CopyButton text={text} label={t('links.copyAs', { format: t(`links.${format}`) })} />
            </li>
          );
        })}
      </ul>
      <h3>{t('viewer.details')}</h3>
      <Facts image={image} />
    </aside>
  );
}

function Facts({ image }: { image: Image }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, string | undefined][] = [
    [t('details.file'), image.name],
    [t('details.size'), `${format.bytes(image.size)} · ${image.ext.toUpperCase()}`],
    [t('details.dimensions'), `${format.number(image.width)} × ${format.number(image.height)}`],
    [t('details.uploaded'), format.moment(image.created_at)],
    [t('details.taken'), image.taken_at === image.created_at ? undefined : format.moment(image.taken_at)],
    [t('details.visibility'), t(`details.${image.visibility}`) + (image.has_password ? ` · ${t('details.protected')}` : '')],
    [t('details.expires'), image.expires_at ? format.moment(image.expires_at) : undefined],
    [
      t('details.views'),
      image.views_left === null
        ? format.number(image.views)
        : t('details.viewsOf', { views: format.number(image.max_views - image.views_left), max: format.number(image.max_views) }),
    ],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
