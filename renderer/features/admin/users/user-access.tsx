import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UserAccess as Access, AdminUser } from '#api/admin/users.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { describeAgent } from '#renderer/platform/user-agent.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useAsk } from '../ask.tsx';
import { Loaded } from '../page.tsx';
import { useChange } from '../use-change.ts';

/** A user's sessions and tokens, and one button that ends both. */
export function UserAccess({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const params = { id: user.id };
  const query = useQuery({
    queryKey: ['admin', 'users', user.id, 'access'],
    queryFn: ({ signal }) => client.call('GET /admin/users/:id/access', { params, signal }),
  });
  return (
    <Modal opened onClose={onClose} title={t('users.accessTitle', { name: user.username })} size="lg">
      <Loaded query={query}>
        {(access) => (
          <Stack>
            <Sessions sessions={access.sessions} />
            <Tokens tokens={access.tokens} />
            <End user={user} access={access} />
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function Sessions({ sessions }: Pick<Access, 'sessions'>) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <section>
      <Title order={3}>{t('users.sessions')}</Title>
      {sessions.length ? (
        <ul className={shared.rows} aria-label={t('users.sessions')}>
          {sessions.map(({ id, address, user_agent, last_seen_at }) => (
            <li key={id} className={shared.row}>
              <div className={shared.rowText}>
                <h4 title={user_agent}>{describeAgent(user_agent) ?? t('users.unknownProgram')}</h4>
                <p className={shared.facts}>{[address, t('users.seen', { date: format.moment(last_seen_at) })].join(' · ')}</p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <Text size="sm">{t('users.noSessions')}</Text>
      )}
    </section>
  );
}

function Tokens({ tokens }: Pick<Access, 'tokens'>) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <section>
      <Title order={3}>{t('users.tokens')}</Title>
      {tokens.length ? (
        <ul className={shared.rows} aria-label={t('users.tokens')}>
          {tokens.map(({ id, name, scope, last_used_at }) => (
            <li key={id} className={shared.row}>
              <div className={shared.rowText}>
                <h4>{name}</h4>
                <p className={shared.facts}>
                  {[
                    t(`users.scopes.${scope}`),
                    last_used_at ? t('users.seen', { date: format.moment(last_used_at) }) : t('users.neverUsed'),
                  ].join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <Text size="sm">{t('users.noTokens')}</Text>
      )}
    </section>
  );
}

/** Not for the owner's account, except for the owner. */
function End({ user, access }: { user: AdminUser; access: Access }) {
  const { t } = useTranslation('admin');
  const question = useAsk();
  const { data: session } = useQuery(sessionQuery);
  const change = useChange(() => client.call('DELETE /admin/users/:id/access', { params: { id: user.id } }), {
    stale: ['users', 'audit'],
    done: () => t('users.accessEnded', { name: user.username }),
  });
  const nothing = !access.tokens.length && access.sessions.every(({ current }) => current);
  if (nothing || (user.is_owner && session?.user?.id !== user.id)) return null;
  const ask = () =>
    question({
      title: t('users.endTitle', { name: user.username }),
      text: t('users.endText'),
      confirm: t('users.end'),
      onConfirm: () => change.mutate(undefined),
    });
  return (
    <Group justify="flex-end">
      <Button color="red.8" loading={change.isPending} onClick={ask}>
        {t('users.end')}
      </Button>
    </Group>
  );
}
