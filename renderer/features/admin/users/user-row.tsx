import { ActionIcon, Badge, Checkbox, Menu, PasswordInput, Progress, Text } from '@mantine/core';
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
import type { AdminUser } from '#api/admin/users.ts';
import { MIN_PASSWORD_LENGTH, TRASH_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { PasswordMeter } from '#renderer/components/sign-in/password-meter.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useAsk } from '../ask.tsx';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';
import { DeleteUser } from './delete-user.tsx';
import { EditUser } from './edit-user.tsx';
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

type Deletion = NonNullable<AdminUser['deletion']>;

/** Whether an account's pictures are still being moved. */
const isMoving = ({ to, images_left }: Deletion) => to !== null || images_left > 0;

/** How far along the deletion of an account is, or until when its pictures stay in the trash. */
function DeletionProgress({ deletion, trashCount }: { deletion: Deletion; trashCount: number }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { to, image_count: all, images_left, started_at } = deletion;
  if (!isMoving(deletion)) {
    const date = format.date(new Date(Date.parse(started_at) + TRASH_DAYS * DAY_MS).toISOString());
    return <p className={shared.facts}>{t('deletion.inTrash', { count: trashCount, formatted: format.number(trashCount), date })}</p>;
  }
  const done = Math.max(0, all - images_left);
  const numbers = { done: format.number(done), all: format.number(all) };
  const line = to ? t('deletion.moving', { ...numbers, name: to.username }) : t('deletion.trashing', numbers);
  return (
    <>
      <p className={shared.facts}>{line}</p>
      <Progress size={4} mt={4} maw="24rem" value={all ? (100 * done) / all : 100} aria-label={line} />
    </>
  );
}

function ResetPassword({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const change = useChange(
    (body: { password: string; revoke_tokens: boolean }) =>
      client.call('POST /admin/users/:id/reset-password', { params: { id: user.id }, body }),
    {
      stale: ['users', 'audit'],
      done: () => t('users.passwordSet', { name: user.username }),
      after: onClose,
      quiet: true,
    },
  );
  const { draft, changed, text, flag } = useDraft({ password: '', revoke_tokens: true }, change.error);
  return (
    <FormDialog
      title={t('users.resetTitle', { name: user.username })}
      submit={t('users.resetPassword')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <Text size="sm">{t('users.resetText')}</Text>
      <PasswordMeter about={[user.username, user.email]}>
        <PasswordInput
          label={t('users.newPassword')}
          description={t('users.passwordHint', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t('users.showPassword') }}
          {...text('password')}
        />
      </PasswordMeter>
      <Checkbox label={t('users.revokeTokens')} description={t('users.revokeTokensHint')} {...flag('revoke_tokens')} />
    </FormDialog>
  );
}
