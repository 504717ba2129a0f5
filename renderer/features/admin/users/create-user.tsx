import { PasswordInput, Select, TextInput } from '@mantine/core';
import type { createUser } from '#api/admin/users.ts';
import { MIN_PASSWORD_LENGTH } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { PasswordMeter } from '#renderer/components/sign-in/password-meter.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { useGroups } from '../use-groups.ts';

type Body = RouteInput<typeof createUser>['body'];

export function CreateUser({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const groups = useGroups();
  const usual = groups.find(({ kind }) => kind === 'default')?.id;
  const change = useChange((body: Body) => client.call('POST /admin/users', { body }), {
    stale: ['users', 'groups', 'audit'],
    done: ({ username }) => t('users.created', { name: username }),
    after: onClose,
    quiet: true,
  });
  const { draft, changed, edit, text } = useDraft<Body>({ username: '', email: '', password: '', role: 'user' }, change.error);
  return (
    <FormDialog
      title={t('users.create')}
      submit={t('users.create')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <TextInput label={t('users.username')} data-autofocus autoComplete="off" {...text('username')} />
      <TextInput type="email" label={t('users.email')} autoComplete="off" {...text('email')} />
      <PasswordMeter about={[draft.username, draft.email]}>
        <PasswordInput
          label={t('users.password')}
          description={t('users.passwordHint', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('users.showPassword') }}
          {...text('password')}
        />
      </PasswordMeter>
      <RoleSelect value={draft.role ?? 'user'} onChange={(role) => edit({ role })} />
      <GroupSelect value={draft.group_id ?? usual} onChange={(group_id) => edit({ group_id })} />
    </FormDialog>
  );
}

interface SelectProps<T> {
  value: T;
  onChange: (value: NonNullable<T>) => void;
  disabled?: boolean;
}

export function RoleSelect({ onChange, ...props }: SelectProps<'user' | 'admin'>) {
  const { t } = useTranslation('admin');
  return (
    <Select
      {...props}
      label={t('users.role')}
      description={t('users.roleHint')}
      allowDeselect={false}
      onChange={(role) => onChange(role === 'admin' ? 'admin' : 'user')}
      data={[
        { value: 'user', label: t('users.roles.user') },
        { value: 'admin', label: t('users.roles.admin') },
      ]}
    />
  );
}

/** The group of an account: any but the guests'. */
export function GroupSelect({ value, onChange, disabled }: SelectProps<number | undefined>) {
  const { t } = useTranslation('admin');
  const groups = useGroups().filter(({ kind }) => kind !== 'guest');
  return (
    <Select
      label={t('users.group')}
      allowDeselect={false}
      disabled={disabled}
      value={String(value ?? '')}
      onChange={(id) => id && onChange(Number(id))}
      data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  );
}
