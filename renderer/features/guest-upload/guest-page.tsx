import { IconDoorOff, IconPhotoUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { getConfig } from '#api/config.ts';
import type { RouteData } from '#api/contract.ts';
import { PublicCard, PublicError, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button, ButtonLink } from '#renderer/plain/button.tsx';
import { pasteKeys } from '#renderer/platform/clipboard.ts';
import { isTouch } from '#renderer/platform/touch.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { useGuestLinks } from '#renderer/upload/guest-links.ts';
import { useVideoLimits } from '#renderer/upload/limits.ts';
import { EarlierUploads } from './earlier-uploads.tsx';
import classes from './guest.module.css';
import { GuestIntake } from './guest-intake.tsx';
import { GuestResults } from './guest-results.tsx';

type GuestLimits = RouteData<typeof getConfig>['guest_limits'];

/** The upload page for guests, where guest uploads are allowed. */
export function GuestPage() {
  const { t } = useTranslation();
  const explain = useExplain();
  const { data: config, error, refetch } = useQuery(configQuery);
  usePageTitle(t('guest.title'));
  return (
    <PublicFrame>
      {!config && error && <PublicError explanation={explain(error)} onRetry={() => void refetch()} />}
      {config?.guest_upload_enabled && <Uploading limits={config.guest_limits} />}
      {config && !config.guest_upload_enabled && (
        <PublicCard art={<IconDoorOff size={40} stroke={1.4} />} title={t('guest.offTitle')} text={t('guest.offText')}>
          <ButtonLink href="/sign-in" className={classes.signIn}>
            {t('public.signIn')}
          </ButtonLink>
        </PublicCard>
      )}
    </PublicFrame>
  );
}

function Uploading({ limits }: { limits: GuestLimits }) {
  const { t } = useTranslation();
  const hasKept = useGuestLinks().length > 0;
  return (
    <GuestIntake limits={limits}>
      {({ queue, items, choose, copy }) => (
        <div className={classes.page} data-started={items.length > 0 || hasKept || undefined}>
          <section className={classes.zone}>
            <IconPhotoUp size={48} stroke={1.3} aria-hidden />
            <h1>{t('guest.title')}</h1>
            <p>{t(isTouch() ? 'guest.introTouch' : 'guest.intro')}</p>
            <Button size="md" onClick={choose}>
              {t('guest.choose')}
            </Button>
            <p className={classes.paste}>{t('guest.paste', { keys: pasteKeys() })}</p>
          </section>
          <Limits limits={limits} />
          {items.length > 0 && <GuestResults items={items} queue={queue} onCopy={copy} />}
          <EarlierUploads without={new Set(items.flatMap(({ image }) => image?.key ?? []))} />
        </div>
      )}
    </GuestIntake>
  );
}

function Limits({ limits }: { limits: GuestLimits }) {
  const { max_file_bytes, default_expires_in, allowed_exts } = limits;
  const { t } = useTranslation();
  const whoCanOpen = useWhoCanOpen();
  const videos = useVideoLimits(limits);
  const format = useFormat();
  return (
    <ul className={classes.limits}>
      <li>{max_file_bytes ? t('guest.size', { size: format.bytes(max_file_bytes) }) : t('guest.anySize')}</li>
      <li>{allowed_exts.map((ext) => ext.toUpperCase()).join(', ')}</li>
      {videos && <li>{videos}</li>}
      <li>{default_expires_in ? t('guest.stay', { time: format.period(default_expires_in) }) : t('guest.stayForever')}</li>
      <li>{t('opens.sentences', { who: whoCanOpen('public') })}</li>
    </ul>
  );
}
