import { Group, Text } from '@mantine/core';
import type { Person } from '#api/albums/albums.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { GroupIcon } from '#renderer/components/group-icon.tsx';

interface Props {
  /** Undefined: a group, or everyone. */
  user: Person | undefined;
  name: string;
  /** How many a group has. */
  note?: string | undefined;
}

/** A person or a group in a list to choose from, whose chosen line has other colours. */
export const TeamChoice = ({ user, name, note }: Props) => (
  <Group gap="sm" wrap="nowrap">
    {user ? <Avatar user={user} size={24} /> : <GroupIcon size={24} />}
    <span>{name}</span>
    {note && (
      <Text component="span" size="xs">
        {note}
      </Text>
    )}
  </Group>
);
