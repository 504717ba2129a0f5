import {
  type Icon,
  IconAlbum,
  IconClock,
  IconEye,
  IconEyeOff,
  IconHistory,
  IconLock,
  IconStarFilled,
  IconTrash,
  IconUser,
  IconUserMinus,
} from '@tabler/icons-react';
import { useCallback, useSyncExternalStore } from 'react';
import { TRASH_DAYS } from '#api/constants.ts';
import { DAY, DAY_MS } from '#api/durations.ts';
import type { Image } from '#api/images/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './badges.module.css';

type Badged = Pick<
  Image,
  'visibility' | 'has_password' | 'max_views' | 'views_left' | 'expires_at' | 'favourite' | 'animated' | 'duration' | 'text_snippet'
>;

interface Restriction {
  Icon: Icon;
  /** The restriction in words. */
  label: string;
  /** What the badge shows beside its icon. */
  text?: string;
}

/** Whether visitors of a public album don't see an image in it. */
const isHiddenInAlbum = ({ visibility, has_password, max_views }: Badged) => visibility === 'private' || has_password || max_views > 0;

/** Returns a function that lists what restricts an image, apart from its expiry. */
function useRestrictions() {
  const { t } = useTranslation();
  const format = useFormat();
  return useCallback(
    ({ visibility, has_password, views_left }: Badged): Restriction[] => [
      ...(visibility === 'private' ? [{ Icon: IconUser, label: t('opens.private') }] : []),
      ...(has_password ? [{ Icon: IconLock, label: t('badges.protected') }] : []),
      ...(views_left === null
        ? []
        : [
            {
              Icon: IconEye,
              label: t('badges.viewsLeft', { count: views_left }),
              text: t('badges.left', { formatted: format.compact(views_left) }),
            },
          ]),
    ],
    [t, format],
  );
}

/** Returns a function that adds the words for an image's badges to its name for screen readers. */
export function useDescribe(inPublicAlbum = false) {
  const { t } = useTranslation();
  const format = useFormat();
  const restrictions = useRestrictions();
  return useCallback(
    (name: string, image: Badged) =>
      [
        name,
        ...(image.animated ? [t('badges.animated')] : []),
        ...(image.duration ? [t('badges.video', { time: format.duration(image.duration) })] : []),
        ...(image.text_snippet ? [t('badges.inText', { text: image.text_snippet })] : []),
        ...(inPublicAlbum && isHiddenInAlbum(image) ? [t('badges.hidden')] : []),
        ...(image.expires_at ? [t('badges.expires', { date: format.moment(image.expires_at) })] : []),
        ...restrictions(image).map(({ label }) => label),
      ].join(t('badges.join')),
    [t, format, restrictions, inPublicAlbum],
  );
}

/** The badges over an image. Only seen: what they say belongs in the name of the element around them ({@link useDescribe}). */
export function Badges({ image, inPublicAlbum = false }: { image: Badged; inPublicAlbum?: boolean }) {
  const { t } = useTranslation();
  const restrictions = useRestrictions()(image);
  const hidden = inPublicAlbum && isHiddenInAlbum(image);
  return (
    <>
      {image.text_snippet && <Snippet text={image.text_snippet} />}
      {image.favourite && (
        <span className={classes.favourite} title={t('library.favourite')} aria-hidden>
          <IconStarFilled size={14} />
        </span>
      )}
      {(hidden || image.expires_at || restrictions.length > 0) && (
        <span className={classes.badges} aria-hidden>
          {hidden && <Badge Icon={IconEyeOff} label={t('badges.hidden')} />}
          {image.expires_at && <TimeLeft until={image.expires_at} />}
          {restrictions.map((restriction) => (
            <Badge key={restriction.label} {...restriction} />
          ))}
        </span>
      )}
    </>
  );
}

/** The line of text in an image that a search has found it by. */
export function Snippet({ text }: { text: string }) {
  return (
    <span className={classes.snippet} title={text} aria-hidden>
      {text}
    </span>
  );
}

function Badge({ Icon, label, text, soon }: Restriction & { soon?: boolean }) {
  return (
    <span className={classes.badge} title={label} data-soon={soon || undefined}>
      <Icon size={14} stroke={2.2} />
      {text}
    </span>
  );
}

type Trashed = Pick<Image, 'name' | 'deleted_at' | 'expires_at' | 'version_of' | 'removed_by_sender'>;

const isOver = ({ expires_at }: Trashed) => expires_at !== null && Date.parse(expires_at) <= Date.now();

/** The days until an image in the trash is deleted permanently. */
const daysLeft = ({ deleted_at }: Trashed) =>
  Math.max(0, Math.ceil((Date.parse(deleted_at ?? '') + TRASH_DAYS * DAY_MS - Date.now()) / DAY_MS));

/** Returns a function that names an image in the trash for screen readers, with the words for its badges. */
export function useDescribeTrashed() {
  const { t } = useTranslation();
  return useCallback(
    (image: Trashed) => {
      const name = image.version_of === null ? image.name : t('badges.versionOf', { name: image.name });
      return [
        t('trash.open', { name }),
        ...(isOver(image) ? [t('badges.expired')] : []),
        ...(image.removed_by_sender ? [t('trash.removed')] : []),
        t('trash.daysLeft', { count: daysLeft(image) }),
      ].join(t('badges.join'));
    },
    [t],
  );
}

/** The badges over an image in the trash: what is special about it, and for how long it stays. */
export function TrashBadges({ image }: { image: Trashed }) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = daysLeft(image);
  return (
    <span className={classes.badges} aria-hidden>
      {isOver(image) && <Badge Icon={IconClock} label={t('badges.expired')} text={t('badges.expired')} />}
      {image.version_of !== null && <Badge Icon={IconHistory} label={t('trash.versionNote')} text={t('trash.version')} />}
      {image.removed_by_sender && <Badge Icon={IconUserMinus} label={t('trash.removedNote')} text={t('trash.removed')} />}
      <Badge Icon={IconTrash} label={t('trash.daysLeft', { count })} text={format.shortPeriod(count * DAY)} />
    </span>
  );
}

/** The badge over an image that is in the album for which images are being chosen. */
export function InAlbumBadge() {
  const { t } = useTranslation();
  return (
    <span className={classes.badges} aria-hidden>
      <Badge Icon={IconAlbum} label={t('albums.inAlbum')} text={t('albums.inAlbumShort')} />
    </span>
  );
}

/** From this much time left on, a badge stands out. */
const SOON_SECONDS = DAY;

function TimeLeft({ until }: { until: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const seconds = (Date.parse(until) - useNow()) / 1000;
  const label = seconds > 0 ? t('badges.expires', { date: format.moment(until) }) : t('badges.expired');
  return <Badge Icon={IconClock} label={label} text={seconds > 0 ? format.shortPeriod(seconds) : label} soon={seconds < SOON_SECONDS} />;
}

/** How far shown times may lag behind. */
const TICK_MS = 20_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current() {
  if (!timer) now = Date.now();
  return now;
}

/** The current time, in milliseconds since 1970. All components that show how much time is left share one timer. */
const useNow = (): number => useSyncExternalStore(subscribe, current);
