import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenRequest } from '#api/sharing/requests.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import classes from './request.module.css';

const SHOW = { none: 'sending.showNone', own: 'sending.showOwn', all: 'sending.showAll' } as const;
/** The formats that phones and computers make. */
const USUAL = ['jpg', 'png', 'heic'];

/** What the link takes, and who sees it. */
export function Limits({ request, room }: { request: OpenRequest; room: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { accepts, expires_at, show } = request;
  const named = (exts: readonly string[]) => format.list(exts.map((ext) => ext.toUpperCase()));
  const usual = accepts.exts.filter((ext) => USUAL.includes(ext));
  return (
    <>
      <ul className={classes.limits}>
        <li>{t('sending.noAccount')}</li>
        <li>{t('sending.left', { count: room, formatted: format.number(room) })}</li>
        {accepts.max_file_bytes > 0 && <li>{t('guest.size', { size: format.bytes(accepts.max_file_bytes) })}</li>}
        <li>{t('sending.until', { date: format.moment(expires_at) })}</li>
      </ul>
      {usual.length > 0 && usual.length < accepts.exts.length ? (
        <details className={classes.kinds} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('sending.kindsAndOthers', { exts: named(usual) })}</summary>
          {/* Hidden text would still take up space under what follows. */}
          {isOpen && named(accepts.exts)}
        </details>
      ) : (
        <p className={classes.privacy}>{t('sending.kinds', { exts: named(accepts.exts) })}</p>
      )}
      <p className={classes.privacy}>{joinSentences(t(SHOW[show]), t('sending.privacy'))}</p>
    </>
  );
}
