import { ActionIcon, Autocomplete, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Album, Person } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import type { AlbumGroup, AlbumMember } from '#api/albums/members.ts';
import { ApiError } from '#api/client.ts';
import { MEMBER_ROLES } from '#api/constants.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { GroupIcon } from '#renderer/components/group-icon.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import classes from './album-members.module.css';
import { type Grant, type MemberRole, membersQuery, teamQuery, useEndShare, usePutMember, useRemoveMember } from './members.ts';

import { TeamChoice } from './team-choice.tsx';

/** Who an album is shared with, and for its owner and managers, whom to share it with. */
export function Members({ album }: { album: Album }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { data: members, error, refetch } = useQuery(membersQuery(album.id));
  const manages = mayManage(album);
  const roles = rolesFor(album);
  const open = ({ role }: { role: MemberRole }) => (manages && roles.includes(role) ? roles : []);
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
        {members?.everyone && <Shared album={album} name={t('members.everyone')} share={members.everyone} roles={open(members.everyone)} />}
        {members?.groups.map((share) => (
          <Shared key={share.group.id} album={album} name={share.group.name} share={share} roles={open(share)} />
        ))}
        {members?.items.map((member) => (
          <Member
            key={member.id}
            album={album}
            member={member}
            roles={open(member)}
            isForOthers={members.everyone !== null || members.groups.length > 0}
          />
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

interface MemberProps {
  album: Album;
  member: AlbumMember;
  roles: readonly MemberRole[];
  /** Whether the album is also shared with a group or everyone, which may include the member. */
  isForOthers: boolean;
}

function Member({ album, member, roles, isForOthers }: MemberProps) {
  const { t } = useTranslation();
  const put = usePutMember(album.id);
  const remove = useRemoveMember(album.id);
  const { id, username: name } = member;
  return (
    <li>
      <Avatar user={member} size={32} />
      <span className={classes.name}>{name}</span>
      <Role
        album={album}
        name={name}
        role={(put.isPending && put.variables.role) || member.role}
        roles={roles}
        error={put.error ?? remove.error}
        removal={t(isForOthers ? 'members.removeOneText' : 'members.removeText', { name })}
        isRemoving={remove.isPending}
        onChange={(role) => put.mutate({ username: name, role })}
        onRemove={(options) => remove.mutate({ id, isSelf: false }, options)}
      />
    </li>
  );
}

/** A group, or everyone. */
function Shared({ album, name, share, roles }: { album: Album; name: string; share: GroupShare; roles: readonly MemberRole[] }) {
  const { t } = useTranslation();
  const put = usePutMember(album.id);
  const end = useEndShare(album.id);
  const group_id = share.group?.id;
  return (
    <li>
      <GroupIcon size={32} />
      <span className={classes.name}>
        {name}
        <Text component="span" size="sm" c="dimmed">
          {t('members.people', { count: share.member_count })}
        </Text>
      </span>
      <Role
        album={album}
        name={name}
        role={(put.isPending && put.variables.role) || share.role}
        roles={roles}
        error={put.error ?? end.error}
        removal={t('members.removeGroupText')}
        isRemoving={end.isPending}
        onChange={(role) => put.mutate(group_id === undefined ? { everyone: true, role } : { group_id, role })}
        onRemove={(options) => end.mutate({ group_id }, options)}
      />
    </li>
  );
}

type GroupShare = Pick<AlbumGroup, 'member_count' | 'role'> & Partial<Pick<AlbumGroup, 'group'>>;

interface RoleProps {
  album: Album;
  name: string;
  role: MemberRole;
  /** Those that the user may give and take; none: the role is only shown. */
  roles: readonly MemberRole[];
  error: Error | null;
  /** What removing does. */
  removal: string;
  isRemoving: boolean;
  onChange: (role: MemberRole) => void;
  onRemove: (options: { onSettled: () => void }) => void;
}

/** What a member or a group may do in an album, and the button that ends it. */
function Role({ album, name, role, roles, error, removal, isRemoving, onChange, onRemove }: RoleProps) {
  const { t } = useTranslation();
  const explain = useExplain();
  const [asking, setAsking] = useState(false);
  const choices = useRoleChoices(roles);
  if (roles.length === 0)
    return (
      <Text size="sm" c="dimmed" className={mayManage(album) ? classes.fixed : undefined}>
        {t(`members.${role}`)}
      </Text>
    );
  return (
    <>
      <NativeSelect
        className={classes.role}
        size="sm"
        aria-label={t('members.roleOf', { name })}
        value={role}
        data={choices}
        error={error && explain(error).what}
        onChange={(event) => onChange(event.currentTarget.value as MemberRole)}
      />
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('members.removeOne', { name })} onClick={() => setAsking(true)}>
        <IconX size={18} />
      </ActionIcon>
      <Modal opened={asking} onClose={() => setAsking(false)} title={t('members.removeTitle', { name })}>
        <Stack>
          <Text size="sm">{removal}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              {t('common.cancel')}
            </Button>
            <Button color="red.8" loading={isRemoving} onClick={() => onRemove({ onSettled: () => setAsking(false) })}>
              {t('members.remove')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** Someone with whom an album could be shared, as the list shows them. */
interface Candidate {
  user?: Person;
  count?: number;
  to: Omit<Grant, 'role'>;
}

/** Those with whom an album isn't shared yet, by their names in the list: people and groups where the server lists them, and everyone. */
function useCandidates(album: Album): ReadonlyMap<string, Candidate> {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const { data: session } = useQuery(sessionQuery);
  const { data: members } = useQuery(membersQuery(album.id));
  const { data: team } = useQuery({ ...teamQuery, enabled: config?.team_directory === true });
  const taken = new Set([album.owner.id, session?.user?.id, ...(members?.items ?? []).map(({ id }) => id)]);
  const takenGroups = new Set(members?.groups.map(({ group }) => group.id));
  const everyone: [string, Candidate][] = members?.everyone === null ? [[t('members.everyone'), { to: { everyone: true } }]] : [];
  const groups = team?.groups.filter(({ id }) => !takenGroups.has(id)) ?? [];
  const users = team?.users.filter(({ id }) => !taken.has(id)) ?? [];
  return new Map([
    ...everyone,
    ...groups.map(({ id, name, member_count }): [string, Candidate] => [
      t('members.group', { name }),
      { count: member_count, to: { group_id: id } },
    ]),
    ...users.map((user): [string, Candidate] => [user.username, { user, to: { username: user.username } }]),
  ]);
}

function AddMember({ album, roles }: { album: Album; roles: readonly MemberRole[] }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const put = usePutMember(album.id);
  const [name, setName] = useState('');
  const [role, setRole] = useState<MemberRole>('viewer');
  const choices = useRoleChoices(roles);
  const { data: config } = useQuery(configQuery);
  const candidates = useCandidates(album);
  const isUnknown = put.error instanceof ApiError && put.error.code === 'not_found';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const typed = name.trim();
        const { to } = candidates.get(typed) ?? { to: { username: typed } };
        if (typed) put.mutate({ ...to, role }, { onSuccess: () => setName('') });
      }}
    >
      <Unsaved when={name !== ''} />
      <div className={classes.add}>
        <Autocomplete
          label={t(config?.team_directory ? 'members.who' : 'members.username')}
          value={name}
          data={[...candidates.keys()]}
          comboboxProps={{ withinPortal: false }}
          limit={MAX_SUGGESTIONS}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          renderOption={({ option: { value } }) => {
            const { user, count } = candidates.get(value) ?? {};
            return <TeamChoice user={user} name={value} note={count === undefined ? undefined : t('members.people', { count })} />;
          }}
          error={put.isError && (isUnknown ? t('members.noUser') : explain(put.error).what)}
          onChange={(value) => {
            put.reset();
            setName(value);
          }}
        />
        <NativeSelect
          label={t('members.role')}
          value={role}
          data={choices}
          onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
        />
        <Button type="submit" loading={put.isPending} disabled={!name.trim()}>
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
