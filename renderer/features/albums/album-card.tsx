import { Menu } from '@mantine/core';
import {
  IconArrowBarToLeft,
  IconArrowBarToRight,
  IconArrowLeft,
  IconArrowRight,
  IconHourglassEmpty,
  IconLock,
  IconPhoto,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { AlbumActions } from '#renderer/albums/album-actions.tsx';
import { isPast } from '#renderer/components/forms/expiry-time.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { keepSize } from '#renderer/images/grid/keep-size.ts';
import classes from './albums.module.css';

interface Props {
  album: Album;
  heading: 'h2' | 'h3';
  /** Where it is among the user's own albums, which they order. */
  order?: { first: boolean; last: boolean; onMove: (move: AlbumMove) => void };
}

/** Where an album goes, from its own place. */
export type AlbumMove = 'earlier' | 'later' | 'start' | 'end';

const MOVES: Record<string, AlbumMove> = {
  ArrowLeft: 'earlier',
  ArrowUp: 'earlier',
  ArrowRight: 'later',
  ArrowDown: 'later',
  Home: 'start',
  End: 'end',
};

/** One album, which all of the card links to. Those of others name their owner. */
export function AlbumCard({ album, heading: Heading, order }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!event.altKey || !move || !order) return;
    // Alt+Left would go back in the history, Alt+Home to the browser's first page.
    event.preventDefault();
    order.onMove(move);
  };
  const item = (move: AlbumMove, Icon: typeof IconArrowLeft, edge: 'first' | 'last') =>
    order && (
      <Menu.Item leftSection={<Icon size={16} />} disabled={order[edge]} onClick={() => order.onMove(move)}>
        {t(`albums.${move}`)}
      </Menu.Item>
    );
  const count = t('gallery.count', { count: album.image_count, formatted: format.number(album.image_count) });
  const by = useSharer(album);
  return (
    <article className={classes.card}>
      <Link
        to="/albums/$albumId"
        params={{ albumId: album.id }}
        className={classes.link}
        aria-label={[album.name, count, ...(by ? [by] : [])].join(', ')}
        aria-keyshortcuts={order && 'Alt+ArrowLeft Alt+ArrowRight Alt+Home Alt+End'}
        draggable={false}
        onKeyDown={onKeyDown}
      >
        <span className={classes.cover}>
          {album.cover_url ? (
            <img src={onThisOrigin(album.cover_url)} alt="" loading="lazy" decoding="async" draggable={false} onLoad={keepSize} />
          ) : (
            <IconPhoto size={40} stroke={1.2} aria-hidden />
          )}
        </span>
      </Link>
      <div className={classes.caption}>
        <div>
          <Heading title={album.name} dir="auto">
            {album.name}
          </Heading>
          <p>
            {count}
            {by && (
              <span className={classes.by} title={by}>
                {by}
              </span>
            )}
            {album.role === 'owner' && album.member_count > 0 && <IconUsers size={14} role="img" aria-label={t('members.title')} />}
            {album.role === 'owner' && album.member_count === 0 && album.visibility === 'private' && (
              <IconUser size={14} role="img" aria-label={t('opens.private')} />
            )}
            {album.visibility === 'public' && isPast(album.expires_at) && (
              <IconHourglassEmpty size={14} role="img" aria-label={t('albums.expired')} />
            )}
            {album.has_password && <IconLock size={14} role="img" aria-label={t('details.protected')} />}
          </p>
        </div>
        <AlbumActions album={album}>
          {item('start', IconArrowBarToLeft, 'first')}
          {item('earlier', IconArrowLeft, 'first')}
          {item('later', IconArrowRight, 'last')}
          {item('end', IconArrowBarToRight, 'last')}
        </AlbumActions>
      </div>
    </article>
  );
}

/** Who shares an album with the user, and through what; undefined for the user's own. */
function useSharer({ owner, shared_through: through }: Album): string | undefined {
  const { t } = useTranslation();
  const name = owner.username;
  if (through === null) return undefined;
  if (through.kind === 'group') return t('members.byForGroup', { name, group: through.name });
  return t(through.kind === 'everyone' ? 'members.byForEveryone' : 'members.by', { name });
}

const COVER_WIDTH = 480;

/** A cover's address on the page's own origin, wide enough for a card. Absolute links are meant for others. */
function onThisOrigin(address: string): string {
  return `${new URL(address, location.origin).pathname}?w=${COVER_WIDTH}`;
}
