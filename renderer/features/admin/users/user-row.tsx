import { ActionIcon, Badge, Menu } from '@mantine/core';
import {
  IconArrowsRightLeft,
  IconBan,
  IconCircleCheck,
  IconDeviceMobileOff,
  IconDevices,
  IconDots,
  IconLock,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '#api/admin/users.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useAsk } from '../ask.tsx';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';
import { DeleteUser } from './delete-user.tsx';
import { DeletionProgress, isMoving } from './deletion-progress.tsx';
import { EditUser } from './edit-user.tsx';
import { ResetPassword } from './reset-password.tsx';
import { TransferUser } from './transfer-user.tsx';
import { UserAccess } from './user-access.tsx';

type Dialog = 'edit' | 'password' | 'access' | 'transfer' | 'delete';

export function UserRow({ user }: { user: AdminUser }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const given = useGivenName();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const used = format.bytes(user.storage_used_bytes);
  const quota = user.storage_quota_bytes;
  const facts = [
    user.email ?? t('users.noEmail'),
    given(user.group.name),
    quota ? t('users.usedOf', { used, quota: format.bytes(quota) }) : t('users.used', { used }),
    t('users.pictures', { count: user.image_count, formatted: format.number(user.image_count) }),
    user.last_seen_at ? t('users.seen', { date: format.moment(user.last_seen_at) }) : t('users.neverSeen'),
  ];
  return (
    <li className={shared.row}>
      <Avatar user={user} size={36} />
      <div className={shared.rowText}>
        <h2>
          {user.username}
          {user.is_owner ? <Mark text={t('users.roles.owner')} /> : user.role === 'admin' && <Mark text={t('users.roles.admin')} />}
          {user.deletion ? <Mark text={t('deletion.badge')} /> : user.disabled && <Mark text={t('users.disabled')} />}
          {user.two_factor && <Mark text={t('users.twoFactor')} />}
          {!user.has_password && !user.deletion && <Mark text={t('users.ssoOnly')} />}
        </h2>
        {user.deletion ? <DeletionProgress deletion={user.deletion} trashCount={user.trash_count} /> : <Facts facts={facts} />}
      </div>
      {!(user.deletion && isMoving(user.deletion)) && <UserMenu user={user} onOpen={setDialog} />}
      {dialog === 'edit' && <EditUser user={user} onClose={close} />}
      {dialog === 'password' && <ResetPassword user={user} onClose={close} />}
      {dialog === 'access' && <UserAccess user={user} onClose={close} />}
      {dialog === 'transfer' && <TransferUser user={user} onClose={close} />}
      {dialog === 'delete' && <DeleteUser user={user} onClose={close} />}
    </li>
  );
}

const Mark = ({ text }: { text: string }) => (
  <Badge variant="default" tt="none">
    {text}
  </Badge>
);

function UserMenu({ user, onOpen }: { user: AdminUser; onOpen: (dialog: Dialog) => void }) {
  const { t } = useTranslation('admin');
  const askReset = useTwoFactorReset(user);
  const { data: session } = useQuery(sessionQuery);
  const isOther = user.id !== session?.user?.id;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={t('actionsFor', { name: user.username })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!user.deletion && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onOpen('edit')}>
              {t('edit')}
            </Menu.Item>
            <Menu.Item leftSection={<IconLock size={16} />} onClick={() => onOpen('password')}>
              {t('users.resetPassword')}
            </Menu.Item>
            <Menu.Item leftSection={<IconDevices size={16} />} onClick={() => onOpen('access')}>
              {t('users.access')}
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<IconArrowsRightLeft size={16} />}
          disabled={!user.image_count && !user.trash_count}
          onClick={() => onOpen('transfer')}
        >
          {t('users.transfer')}
        </Menu.Item>
        {user.two_factor && !user.is_owner && isOther && (
          <Menu.Item leftSection={<IconDeviceMobileOff size={16} />} onClick={askReset}>
            {t('users.resetTwoFactor')}
          </Menu.Item>
        )}
        {!user.is_owner && !user.deletion && <Disabling user={user} />}
        {!user.is_owner && !user.deletion && isOther && (
          <Menu.Item color="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={() => onOpen('delete')}>
            {t('deletion.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Disabling({ user }: { user: AdminUser }) {
  const { t } = useTranslation('admin');
  const { ask, enable } = useDisabling(user);
  return user.disabled ? (
    <Menu.Item leftSection={<IconCircleCheck size={16} />} onClick={enable}>
      {t('users.enable')}
    </Menu.Item>
  ) : (
    <Menu.Item color="var(--mantine-color-error)" leftSection={<IconBan size={16} />} onClick={ask}>
      {t('users.disable')}
    </Menu.Item>
  );
}

function useDisabling({ id, username }: AdminUser) {
  const { t } = useTranslation('admin');
  const question = useAsk();
  const change = useChange((disabled: boolean) => client.call('PATCH /admin/users/:id', { params: { id }, body: { disabled } }), {
    stale: ['users', 'audit'],
    done: (_, disabled) => t(disabled ? 'users.nowDisabled' : 'users.nowEnabled', { name: username }),
  });
  return {
    enable: () => change.mutate(false),
    ask: () =>
      question({
        title: t('users.disableTitle', { name: username }),
        text: t('users.disableText'),
        confirm: t('users.disable'),
        onConfirm: () => change.mutate(true),
      }),
  };
}

/** Asks before it turns off a user's second factor. */
function useTwoFactorReset({ id, username }: AdminUser) {
  const { t } = useTranslation('admin');
  const question = useAsk();
  const change = useChange(() => client.call('DELETE /admin/users/:id/two-factor', { params: { id } }), {
    stale: ['users', 'audit'],
    done: () => t('users.twoFactorReset', { name: username }),
  });
  return () =>
    question({
      title: t('users.resetTwoFactorTitle', { name: username }),
      text: t('users.resetTwoFactorText'),
      confirm: t('users.resetTwoFactor'),
      onConfirm: () => change.mutate(undefined),
    });
}
