import { ActionIcon, Autocomplete, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Album, Person } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import type { AlbumMember } from '#api/albums/members.ts';
import { ApiError } from '#api/client.ts';
import { MEMBER_ROLES } from '#api/constants.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import classes from './album-members.module.css';
import { type MemberRole, membersQuery, teamQuery, usePutMember, useRemoveMember } from './members.ts';

/** Who an album is shared with, and for its owner and managers, whom to share it with. */
export function Members({ album }: { album: Album }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { data: members, error, refetch } = useQuery(membersQuery(album.id));
  const manages = mayManage(album);
  const roles = rolesFor(album);
  return (
    <Stack>
      <Text size="sm">{t('members.hint')}</Text>
      {error && <ErrorNotice explanation={explain(error)} onRetry={() => void refetch()} />}
      <ul className={classes.members} aria-label={t('members.title')}>
        <li>
          <Avatar user={album.owner} size={32} />
          <span className={classes.name}>{album.owner.username}</span>
          <Text size="sm" c="dimmed" className={manages ? classes.fixed : undefined}>
            {t('members.owner')}
          </Text>
        </li>
        {members?.map((member) => (
          <Member key={member.id} album={album} member={member} roles={manages && roles.includes(member.role) ? roles : []} />
        ))}
      </ul>
      {manages && <AddMember album={album} roles={roles} />}
    </Stack>
  );
}

/** The roles that the user may give and take. */
const rolesFor = ({ role }: Album): readonly MemberRole[] =>
  role === 'owner' ? MEMBER_ROLES : MEMBER_ROLES.filter((each) => each !== 'manager');

function useRoleChoices(roles: readonly MemberRole[]) {
  const { t } = useTranslation();
  return roles.map((role) => ({ value: role, label: t(`members.${role}`) }));
}

function Member({ album, member, roles }: { album: Album; member: AlbumMember; roles: readonly MemberRole[] }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const put = usePutMember(album.id);
  const remove = useRemoveMember(album.id);
  const [asking, setAsking] = useState(false);
  const choices = useRoleChoices(roles);
  const { username, role } = member;
  const error = put.error ?? remove.error;
  return (
    <li>
      <Avatar user={member} size={32} />
      <span className={classes.name}>{username}</span>
      {roles.length === 0 ? (
        <Text size="sm" c="dimmed" className={mayManage(album) ? classes.fixed : undefined}>
          {t(`members.${role}`)}
        </Text>
      ) : (
        <>
          <NativeSelect
            className={classes.role}
            size="sm"
            aria-label={t('members.roleOf', { name: username })}
            value={put.isPending ? put.variables.role : role}
            data={choices}
            error={error && explain(error).what}
            onChange={(event) => put.mutate({ username, role: event.currentTarget.value as MemberRole })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('members.removeOne', { name: username })}
            onClick={() => setAsking(true)}
          >
            <IconX size={18} />
          </ActionIcon>
          <Modal opened={asking} onClose={() => setAsking(false)} title={t('members.removeTitle', { name: username })}>
            <Stack>
              <Text size="sm">{t('members.removeText', { name: username })}</Text>
              <Group justify="flex-end">
                <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
                  {t('common.cancel')}
                </Button>
                <Button
                  color="red.8"
                  loading={remove.isPending}
                  onClick={() => remove.mutate({ id: member.id, isSelf: false }, { onSettled: () => setAsking(false) })}
                >
                  {t('members.remove')}
                </Button>
              </Group>
            </Stack>
          </Modal>
        </>
      )}
    </li>
  );
}

/** Those who could become members, by user name; empty where the server doesn't list accounts. */
function useOthers(album: Album): ReadonlyMap<string, Person> {
  const { data: config } = useQuery(configQuery);
  const { data: session } = useQuery(sessionQuery);
  const { data: members } = useQuery(membersQuery(album.id));
  const { data: team } = useQuery({ ...teamQuery, enabled: config?.team_directory === true });
  const taken = new Set([album.owner.id, session?.user?.id, ...(members ?? []).map(({ id }) => id)]);
  return new Map(team?.users.filter(({ id }) => !taken.has(id)).map((user) => [user.username, user]));
}

function AddMember({ album, roles }: { album: Album; roles: readonly MemberRole[] }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const put = usePutMember(album.id);
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<MemberRole>('viewer');
  const choices = useRoleChoices(roles);
  const others = useOthers(album);
  const isUnknown = put.error instanceof ApiError && put.error.code === 'not_found';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (username.trim()) put.mutate({ username: username.trim(), role }, { onSuccess: () => setUsername('') });
      }}
    >
      <Unsaved when={username !== ''} />
      <div className={classes.add}>
        <Autocomplete
          label={t('members.username')}
          value={username}
          data={[...others.keys()]}
          comboboxProps={{ withinPortal: false }}
          limit={MAX_SUGGESTIONS}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          renderOption={({ option: { value } }) => <Suggestion user={others.get(value)} />}
          error={put.isError && (isUnknown ? t('members.noUser') : explain(put.error).what)}
          onChange={(value) => {
            put.reset();
            setUsername(value);
          }}
        />
        <NativeSelect
          label={t('members.role')}
          value={role}
          data={choices}
          onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
        />
        <Button type="submit" loading={put.isPending} disabled={!username.trim()}>
          {t('members.add')}
        </Button>
      </div>
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {t(`members.${role}Hint`)}
      </Text>
    </form>
  );
}

/** As many as a list has room for; typing finds the others. */
const MAX_SUGGESTIONS = 20;

function Suggestion({ user }: { user: Person | undefined }) {
  return (
    user && (
      <Group gap="sm" wrap="nowrap">
        <Avatar user={user} size={24} />
        <span>{user.username}</span>
      </Group>
    )
  );
}
