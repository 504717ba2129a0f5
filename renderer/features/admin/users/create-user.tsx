import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { createUser } from '#api/admin-users.ts';
import type { RouteInput } from '#api/contract.ts';
import { client } from '#renderer/service/client.ts';
import { useFieldError } from '#renderer/service/field-error.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useChange } from '../use-change.ts';
import { useGroups } from '../use-groups.ts';

type Body = RouteInput<typeof createUser>['body'];

export function CreateUser({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const groups = useGroups();
  const [draft, setDraft] = useState<Body>({ username: '', email: '', password: '', role: 'user' });
  const edit = (part: Partial<Body>) => setDraft((before) => ({ ...before, ...part }));
  const usual = groups.find(({ kind }) => kind === 'default')?.id;
  const change = useChange((body: Body) => client.call('POST /admin/users', { body }), {
    stale: ['users', 'groups', 'audit'],
    done: ({ username }) => t('users.created', { name: username }),
    after: onClose,
    quiet: true,
  });
  const fault = useFieldError(change.error);
  return (
    <FormDialog
      title={t('users.create')}
      submit={t('users.create')}
      change={change}
      fields={['username', 'email', 'password']}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <TextInput
        label={t('users.username')}
        data-autofocus
        autoComplete="off"
        value={draft.username}
        error={fault('username')}
        onChange={(event) => edit({ username: event.currentTarget.value })}
      />
      <TextInput
        type="email"
        label={t('users.email')}
        autoComplete="off"
        value={draft.email}
        error={fault('email')}
        onChange={(event) => edit({ email: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('users.password')}
        description={t('users.passwordHint')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('users.showPassword') }}
        value={draft.password}
        error={fault('password')}
        onChange={(event) => edit({ password: event.currentTarget.value })}
      />
      <RoleSelect value={draft.role ?? 'user'} onChange={(role) => edit({ role })} />
      <Select
        label={t('users.group')}
        allowDeselect={false}
        value={String(draft.group_id ?? usual ?? '')}
        onChange={(id) => id && edit({ group_id: Number(id) })}
        data={groups.filter(({ kind }) => kind !== 'guest').map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </FormDialog>
  );
}

/** What somebody may do here. */
export function RoleSelect({
  value,
  onChange,
  disabled,
}: {
  value: 'user' | 'admin';
  onChange: (role: 'user' | 'admin') => void;
  disabled?: boolean;
}) {
  const { t } = useTranslation('admin');
  return (
    <Select
      label={t('users.role')}
      description={t('users.roleHint')}
      allowDeselect={false}
      disabled={disabled}
      value={value}
      onChange={(role) => onChange(role === 'admin' ? 'admin' : 'user')}
      data={[
        { value: 'user', label: t('users.roles.user') },
        { value: 'admin', label: t('users.roles.admin') },
      ]}
    />
  );
}
