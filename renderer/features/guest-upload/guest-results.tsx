import type { Uploaded } from '#api/images/upload.ts';
import { linkOf, WEB_LINK_FORMATS } from '#api/sharing/link-formats.ts';
import { LinkList } from '#renderer/components/links/link-list.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Notice } from '#renderer/plain/error-notice.tsx';
import { Select } from '#renderer/plain/select.tsx';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { useGuestLinks } from '#renderer/upload/guest-links.ts';
import { PanelItem } from '#renderer/upload/panel/panel-item.tsx';
import { useOutcome } from '#renderer/upload/panel/use-outcome.ts';
import type { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { summarise } from '#renderer/upload/queue/summary.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';
import classes from './guest.module.css';

interface Props {
  items: readonly UploadItem[];
  queue: UploadQueue;
  /** Copies the links of pictures. */
  onCopy: (images: readonly Uploaded[]) => void;
}

/** A guest's uploads of this visit, with their links. */
export function GuestResults({ items, queue, onCopy }: Props) {
  const { t } = useTranslation();
  const summary = summarise(items);
  const { main } = useOutcome(summary);
  const done = summary.images.length;
  const kept = useGuestLinks();
  const isKept = summary.images.every(({ key }) => kept.some((one) => one.key === key));
  return (
    <section className={classes.results} aria-label={t('guest.results')}>
      <header>
        <h2>{t('guest.results')}</h2>
        <span role="status" className={classes.status}>
          {main}
        </span>
        {done > 0 && <Formats images={summary.images} onCopy={onCopy} />}
      </header>
      {done > 0 && !isKept && (
        <Notice tone="orange" title={t('guest.onceTitle')}>
          <p>{t('guest.onceText')}</p>
        </Notice>
      )}
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <div>
              <PanelItem item={item} queue={queue} onCopy={(image) => onCopy([image])} />
            </div>
            {item.image && <Links image={item.image} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Formats({ images, onCopy }: Pick<Props, 'onCopy'> & { images: readonly Uploaded[] }) {
  const { t } = useTranslation();
  const { linkFormat } = usePreferences();
  return (
    <div className={classes.formats}>
      <Select
        label={t('guest.format')}
        value={linkFormat}
        data={WEB_LINK_FORMATS.map((value) => ({ value, label: t(`links.${value}`) }))}
        onChange={(value) => setPreferences({ linkFormat: value })}
      />
      <Button size="xs" variant="default" onClick={() => onCopy(images)}>
        {t('guest.copyAll', { count: images.length })}
      </Button>
    </div>
  );
}

/** The links of one picture. */
export function Links({ image }: { image: Uploaded }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { linkFormat } = usePreferences();
  const { name, links, expires_at } = image;
  const link = linkOf(image, linkFormat);
  const rows = [
    {
      name: link === links.share_url ? t('links.share_page') : t(`links.${linkFormat}`),
      text: link,
      label: t('guest.copyLink', { name }),
    },
    { name: t('guest.deleteLink'), text: links.delete_url ?? '', label: t('guest.copyDelete', { name }) },
  ];
  return (
    <div className={classes.links}>
      <LinkList links={rows} />
      {expires_at && <p className={classes.until}>{t('guest.until', { date: format.moment(expires_at) })}</p>}
    </div>
  );
}
