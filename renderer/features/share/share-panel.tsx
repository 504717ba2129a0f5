import { IconClock, IconDownload, IconEye, IconUserCheck } from '@tabler/icons-react';
import type { OpenShare } from '#api/sharing/shares.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { LinkList } from '#renderer/components/links/link-list.tsx';
import { LinkTools } from '#renderer/components/links/link-tools.tsx';
import { clockTime } from '#renderer/i18n/clock.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref } from '#renderer/images/address.ts';
import { linksByFormat } from '#renderer/images/sharing/links.ts';
import { ButtonLink } from '#renderer/plain/button.tsx';
import classes from './share.module.css';

interface Props {
  share: OpenShare;
  mine: boolean;
  /** A blob address of the view-limited image's bytes, once fetched. */
  saved: string | undefined;
  /** Whether this visitor has spent a view of it. */
  isSpent: boolean;
  /** 2 if the page has a heading of the first level already. */
  order: 1 | 2;
}

/** A shared image's details, limits and links. */
export function SharePanel({ share, mine, saved, isSpent, order }: Props) {
  const [Name, Part] = order === 1 ? (['h1', 'h2'] as const) : (['h2', 'h3'] as const);
  const { t } = useTranslation();
  const format = useFormat();
  const limited = share.views_left !== null;
  const left = (share.views_left ?? 0) - (isSpent ? 1 : 0);
  // The page still shows the fetched image, but its link no longer opens for anyone.
  const usedUp = limited && isSpent && left <= 0;
  // A view-limited image has only its share page: embedded links would spend views unseen.
  const [direct, ...embeds] = limited ? [] : linksByFormat(share, t);
  const download = limited && !mine ? saved : downloadHref(share);
  const size = t('share.size', { width: share.width, height: share.height });
  const duration = share.duration === null ? [] : [clockTime(share.duration)];
  return (
    <aside className={classes.panel} aria-label={t('share.panel')}>
      <Name className={classes.name} dir="auto">
        {share.title || share.name}
      </Name>
      {share.caption && <p className={classes.caption}>{share.caption}</p>}
      <p className={classes.facts}>{[...duration, size, format.bytes(share.size), share.ext.toUpperCase()].join(' · ')}</p>
      <p className={classes.facts}>{t('share.uploaded', { date: format.moment(share.created_at) })}</p>
      <Limits share={share} left={left} usedUp={usedUp} />
      {mine && (
        <p className={classes.mine}>
          <IconUserCheck size={18} aria-hidden />
          <span>
            {t(share.kind === 'video' ? 'share.videoYours' : 'share.yours')} <a href={`/?picture=${share.key}`}>{t('share.manage')}</a>
          </span>
        </p>
      )}
      <div className={classes.actions}>
        {!usedUp && (
          <CopyButton
            isLink
            wide
            text={limited ? share.links.share_url : share.links.url}
            label={t('share.copyLink')}
            words={t('share.copyLink')}
          />
        )}
        {download && (
          <ButtonLink href={download} download={share.name} variant="default" icon={<IconDownload size={18} />}>
            {t('share.download')}
          </ButtonLink>
        )}
      </div>
      {!usedUp && (
        <>
          <Part className={classes.part}>{t('share.links')}</Part>
          <LinkList links={[{ name: t('share.shareLink'), text: share.links.share_url }, ...(direct ? [direct] : [])]} />
          {embeds.length > 0 && (
            <details className={classes.embed}>
              <summary>{t('share.embed')}</summary>
              <LinkList links={embeds} />
            </details>
          )}
          <LinkTools url={share.links.share_url} title={share.title || share.name} />
        </>
      )}
    </aside>
  );
}

function Limits({ share, left, usedUp }: { share: OpenShare; left: number; usedUp: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { expires_at, views_left } = share;
  if (expires_at === null && views_left === null) return null;
  const seconds = expires_at === null ? 0 : (Date.parse(expires_at) - Date.now()) / 1000;
  return (
    <ul className={classes.limits}>
      {views_left !== null && (
        <li>
          <IconEye size={18} aria-hidden />
          {usedUp ? t(share.kind === 'video' ? 'share.videoLastView' : 'share.lastView') : t('share.views', { count: left })}
        </li>
      )}
      {expires_at !== null && (
        <li title={format.moment(expires_at)}>
          <IconClock size={18} aria-hidden />
          {seconds < 60 ? t('share.expiresSoon') : t('share.expiresIn', { time: format.period(seconds) })}
        </li>
      )}
    </ul>
  );
}
