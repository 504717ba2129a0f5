import { TextInput } from '@mantine/core';
import type { AdminUser, changeUser } from '#api/admin/users.ts';
import type { RouteInput } from '#api/contract.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { GroupSelect, RoleSelect } from './create-user.tsx';

type Body = RouteInput<typeof changeUser>['body'];

/** Sends changed fields only: setting an e-mail address, even to the same value, marks it verified. */
export function EditUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const change = useChange((body: Body) => client.call('PATCH /admin/users/:id', { params: { id: user.id }, body }), {
    stale: ['users', 'groups', 'audit'],
    done: () => t('saved'),
    after: onClose,
    quiet: true,
  });
  const { draft: changes, changed, edit, fault } = useDraft<Body>({}, change.error);
  const email = changes.email === undefined ? user.email : changes.email;
  return (
    <FormDialog
      title={t('users.editTitle', { name: user.username })}
      submit={t('save')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(changes)}
    >
      <TextInput
        type="email"
        label={t('users.email')}
        description={t(user.role === 'admin' ? 'users.emailOfAdmin' : `users.emailFrom.${user.email_source}`)}
        autoComplete="off"
        data-autofocus
        value={email ?? ''}
        error={fault('email')}
        onChange={(event) => edit({ email: event.currentTarget.value || null })}
      />
      <RoleSelect disabled={user.is_owner} value={changes.role ?? user.role} onChange={(role) => edit({ role })} />
      <GroupSelect disabled={user.is_owner} value={changes.group_id ?? user.group.id} onChange={(group_id) => edit({ group_id })} />
    </FormDialog>
  );
}
