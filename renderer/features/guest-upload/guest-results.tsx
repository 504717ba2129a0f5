import { Alert, Button, NativeSelect } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { linkOf, linksOf, WEB_LINK_FORMATS, type WebLinkFormat } from '#api/link-formats.ts';
import type { Uploaded } from '#api/upload.ts';
import { useCopy } from '#renderer/components/copy-context.ts';
import { LinkList } from '#renderer/components/link-list.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { setPreferences, usePreferences } from '#renderer/preferences.ts';
import { PanelItem } from '#renderer/upload/panel-item.tsx';
import { summarise } from '#renderer/upload/summary.ts';
import type { UploadItem } from '#renderer/upload/types.ts';
import { useOutcome } from '#renderer/upload/use-outcome.ts';
import classes from './guest.module.css';

/** A guest's uploads, with links that are shown only once. */
export function GuestResults({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation();
  const summary = summarise(items);
  const { main } = useOutcome(summary);
  const done = summary.images.length;
  return (
    <section className={classes.results} aria-label={t('guest.results')}>
      <header>
        <h2>{t('guest.results')}</h2>
        <span role="status" className={classes.status}>
          {main}
        </span>
        {done > 0 && <Formats items={items} />}
      </header>
      {done > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle size={20} />} title={t('guest.onceTitle')} classNames={{ title: classes.once }}>
          {t('guest.onceText')}
        </Alert>
      )}
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <div>
              <PanelItem item={item} />
            </div>
            {item.image && <Links image={item.image} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Formats({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const { linkFormat } = usePreferences();
  const { images } = summarise(items);
  return (
    <div className={classes.formats}>
      <NativeSelect
        size="xs"
        aria-label={t('guest.format')}
        value={linkFormat}
        data={WEB_LINK_FORMATS.map((value) => ({ value, label: t(`links.${value}`) }))}
        onChange={(event) => setPreferences({ linkFormat: event.currentTarget.value as WebLinkFormat })}
      />
      <Button size="xs" variant="default" onClick={() => copy(linksOf(images, linkFormat))}>
        {t('guest.copyAll', { count: images.length })}
      </Button>
    </div>
  );
}

function Links({ image }: { image: Uploaded }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { linkFormat } = usePreferences();
  const { name, links, expires_at } = image;
  const link = linkOf(image, linkFormat);
  const rows = [
    {
      name: link === links.share_url ? t('library.sharePage') : t(`links.${linkFormat}`),
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
