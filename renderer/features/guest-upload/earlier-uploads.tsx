import { useState } from 'react';
import type { Uploaded } from '#api/images/upload.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Dialog } from '#renderer/plain/dialog.tsx';
import { forgetGuestLinks, useGuestLinks } from '#renderer/upload/guest-links.ts';
import classes from './guest.module.css';
import { Links } from './guest-results.tsx';

/** Shown before someone asks for all. */
const FEW = 5;

/** What this browser keeps of the guest's earlier visits, and the way to forget it. `without` are shown already. */
export function EarlierUploads({ without }: { without: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const kept = useGuestLinks();
  const [all, setAll] = useState(false);
  const [asking, setAsking] = useState(false);
  const earlier = kept.filter(({ key }) => !without.has(key));
  if (kept.length === 0) return null;
  return (
    <section className={classes.results} aria-label={t(earlier.length > 0 ? 'guest.earlier' : 'guest.kept')}>
      {earlier.length > 0 && (
        <>
          <header>
            <h2>{t('guest.earlier')}</h2>
          </header>
          <ul>
            {(all ? earlier : earlier.slice(0, FEW)).map((image) => (
              <Earlier key={image.key} image={image} />
            ))}
          </ul>
          {!all && earlier.length > FEW && (
            <p className={classes.more}>
              <Button variant="default" onClick={() => setAll(true)}>
                {t('guest.showAll', { count: earlier.length })}
              </Button>
            </p>
          )}
        </>
      )}
      <div className={classes.kept}>
        <p className={classes.keptText}>{t('guest.keptText')}</p>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          {t('guest.forget')}
        </Button>
      </div>
      {asking && <Forgetting count={kept.length} onClose={() => setAsking(false)} />}
    </section>
  );
}

function Earlier({ image }: { image: Uploaded }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
      <div className={classes.earlier}>
        <img src={thumbnailSrc(image, 120)} alt="" width={40} height={40} loading="lazy" />
        <div>
          <span title={image.name} dir="auto">
            {image.name}
          </span>
          <span>{t('guest.uploadedAt', { date: format.moment(image.created_at) })}</span>
        </div>
      </div>
      <Links image={image} />
    </li>
  );
}

function Forgetting({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('guest.forgetTitle')} onClose={onClose}>
      <p>{t('guest.forgetText', { count })}</p>
      <p className={classes.choices}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          onClick={() => {
            forgetGuestLinks();
            onClose();
          }}
        >
          {t('guest.forget')}
        </Button>
      </p>
    </Dialog>
  );
}
