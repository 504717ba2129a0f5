import { Badge, Button, Skeleton, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery } from '@tanstack/react-query';
import { APP_USER_AGENT } from '#api/auth/app-session.ts';
import type { Session } from '#api/auth/user.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { LoadError, useNotifyError } from '#renderer/components/notices/notice.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { describeAgent } from '#renderer/platform/user-agent.ts';
import { sessionsQuery, useEndSession } from './account.ts';
import { EndEverything } from './end-everything.tsx';

export function SessionsPage() {
  const { t } = useTranslation();
  const list = useInfiniteQuery(sessionsQuery);
  const sessions = list.data?.pages.flatMap((page) => page.items) ?? [];
  const end = useEnd();
  return (
    <div>
      <Text c="dimmed" size="sm" maw="60ch">
        {t('sessions.intro')}
      </Text>
      {list.isPending && <Skeleton height={120} mt="xl" />}
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      <Title order={2} size="h4" mt="lg" id="sessions">
        {t('sessions.list')}
      </Title>
      {sessions.length > 0 && (
        <ul className={`${shared.rows} ${classes.rows}`} aria-labelledby="sessions">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end(session.id)} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" mt="md" mr="sm" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('tokens.more')}
        </Button>
      )}
      {sessions.length > 1 && (
        <Button variant="default" mt="md" onClick={() => end(undefined)}>
          {t('sessions.endOthers')}
        </Button>
      )}
      <EndEverything sessions={sessions.length} />
    </div>
  );
}

function useEnd() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate } = useEndSession();
  return (id: string | undefined) =>
    mutate(id, {
      onSuccess: () =>
        notifications.show({
          color: 'petrol.7',
          title: t(id === undefined ? 'sessions.endedOthers' : 'sessions.ended'),
          message: undefined,
          autoClose: 3000,
        }),
      onError: (error) => notifyError(error),
    });
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = session.user_agent === APP_USER_AGENT ? t('sessions.app') : (describeAgent(session.user_agent) ?? t('sessions.unknown'));
  const facts = [
    session.address,
    t('sessions.seen', { date: format.moment(session.last_seen_at) }),
    t('sessions.since', { date: format.date(session.created_at) }),
  ];
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h3 title={session.user_agent}>
          {name}
          {session.current && (
            <Badge variant="light" tt="none">
              {t('sessions.current')}
            </Badge>
          )}
        </h3>
        <Facts facts={facts} />
      </div>
      {!session.current && (
        <Button variant="default" size="xs" aria-label={t('sessions.endOne', { name })} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
