import { Alert, Button, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { foldText } from '#api/images/fold-text.ts';
import type { Teammate } from '#api/team.ts';
import { albumsQuery, sharedAlbumsQuery } from '#renderer/albums/albums.ts';
import { teamQuery } from '#renderer/albums/members.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { GroupIcon } from '#renderer/components/group-icon.tsx';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { LoadError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { AlbumCard } from './album-card.tsx';
import albums from './albums.module.css';
import classes from './team-page.module.css';

/** Who else has an account here, the albums that all of them or one's group share, and what has come since the last visit. */
export function TeamPage() {
  const { t } = useTranslation();
  usePageTitle(t('team.title'));
  const { data: config } = useQuery(configQuery);
  const since = useLastVisit();
  return (
    <div className={albums.page}>
      <header className={albums.header}>
        <Title order={1}>{t('team.title')}</Title>
      </header>
      {since === undefined && <Introduction isListed={config?.team_directory === true} />}
      <Shared since={since} />
      {config?.team_directory ? <People /> : <Text c="dimmed">{t('team.unlisted')}</Text>}
    </div>
  );
}

/** What this page is for, on the first visit. */
function Introduction({ isListed }: { isListed: boolean }) {
  const { t } = useTranslation();
  const [isRead, setRead] = useState(false);
  if (isRead) return null;
  return (
    <Alert className={classes.intro ?? ''} variant="light" color="gray" mb="md" icon={<IconUsers size={20} />} title={t('team.introTitle')}>
      <ul>
        <li>{t('team.intro')}</li>
        <li>{t('team.introSend')}</li>
        {isListed && <li>{t('team.introConnected')}</li>}
      </ul>
      <Button size="xs" variant="default" onClick={() => setRead(true)}>
        {t('team.introDone')}
      </Button>
    </Alert>
  );
}

function Shared({ since }: { since: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: own } = useQuery(albumsQuery);
  const { data: shared, isPending, error, refetch } = useQuery(sharedAlbumsQuery);
  const { data: news } = useQuery({
    queryKey: ['albums', 'new', since],
    queryFn: ({ signal }) => client.call('GET /team/new', { query: { since: since ?? '' }, signal }),
    enabled: since !== undefined,
  });
  const counts = new Map(news?.albums.map(({ id, count }) => [id, count]));
  const found = [...(shared ?? []), ...(own ?? [])].filter(({ for_team }) => for_team);
  // What has changed comes first; otherwise, as they were shared.
  const sorted = found.toSorted((one, other) => (counts.get(other.id) ?? 0) - (counts.get(one.id) ?? 0));
  return (
    <section aria-labelledby="team-albums">
      <Title order={2} id="team-albums" className={albums.section}>
        {t('team.albums')}
      </Title>
      {isPending && <Skeleton className={albums.cover} maw={240} />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {shared && own && found.length === 0 && (
        <Text c="dimmed">
          {t('team.noAlbums')}{' '}
          <Link to="/albums" className={classes.link}>
            {t('team.toAlbums')}
          </Link>
        </Text>
      )}
      <ul className={albums.grid} aria-labelledby="team-albums">
        {sorted.map((album) => {
          const count = counts.get(album.id);
          return (
            <li key={album.id}>
              <AlbumCard album={album} heading="h3" />
              {count !== undefined && <p className={classes.new}>{t('team.new', { count, formatted: format.number(count) })}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Between two looks at who is connected. */
const LOOK_AGAIN_MS = 30_000;
/** With fewer people, all are seen at once. */
const SEARCHED_FROM = 12;

function People() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const { data: team, isPending, error, refetch } = useQuery({ ...teamQuery, refetchInterval: LOOK_AGAIN_MS });
  const [search, setSearch] = useState('');
  const wanted = foldText(search.trim());
  const people = team?.users.filter(({ username }) => foldText(username).includes(wanted)) ?? [];
  const isAlone = team && team.users.length < 2;
  return (
    <section aria-labelledby="team-people">
      <Title order={2} id="team-people" className={albums.section}>
        {t('team.people')}
      </Title>
      {isPending && <Skeleton height={40} maw={320} />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {isAlone && (
        <Text c="dimmed">
          {t('team.alone')}{' '}
          {session?.user?.role === 'admin' && (
            <Link to="/admin/$section" params={{ section: 'invites' }} className={classes.link}>
              {t('team.invite')}
            </Link>
          )}
        </Text>
      )}
      {team && team.users.length >= SEARCHED_FROM && (
        <TextInput
          className={classes.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          aria-label={t('team.search')}
          placeholder={t('team.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {search && people.length === 0 && <Text c="dimmed">{t('team.noneFound')}</Text>}
      <ul className={classes.people} aria-labelledby="team-people">
        {people.map((user) => (
          <Person key={user.id} user={user} isSelf={user.id === session?.user?.id} />
        ))}
      </ul>
      {team && team.groups.length > 0 && (
        <>
          <Title order={2} id="team-groups" className={albums.section}>
            {t('team.groups')}
          </Title>
          <ul className={classes.people} aria-labelledby="team-groups">
            {team.groups.map(({ id, name, member_count }) => (
              <li key={id}>
                <GroupIcon size={40} />
                <span className={classes.name}>
                  {name}
                  <small>{t('members.people', { count: member_count })}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Person({ user, isSelf }: { user: Teammate; isSelf: boolean }) {
  const { t } = useTranslation();
  return (
    <li>
      <Avatar user={user} size={40} />
      <span className={classes.name}>
        {user.name}
        {isSelf && <small>{t('team.you')}</small>}
        {!isSelf && user.connected && <small data-connected>{t(user.connected === 'app' ? 'team.connectedApp' : 'team.connected')}</small>}
      </span>
    </li>
  );
}

/** When the user last opened this page in this browser; undefined the first time. The present visit is noted when it begins. */
function useLastVisit(): string | undefined {
  const { data: session } = useQuery(sessionQuery);
  const key = `pixdock.team.${session?.user?.id ?? 0}`;
  const [last] = useState(() => {
    try {
      return validInstant(localStorage.getItem(key));
    } catch {
      return undefined; // Storage is blocked.
    }
  });
  useEffect(() => {
    try {
      localStorage.setItem(key, new Date().toISOString());
    } catch {
      // As above.
    }
  }, [key]);
  return last;
}

const validInstant = (text: string | null) => (text !== null && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined);
