import { Text } from '@mantine/core';
import { useState } from 'react';
import type { AdminUser } from '#api/admin/users.ts';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { UserSelect } from '../user-select.tsx';

/** Moves all of an account's pictures to another account. */
export function TransferUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const [to, setTo] = useState<number | null>(null);
  const [missing, setMissing] = useState(false);
  const count = user.image_count + user.trash_count;
  const change = useChange(
    (id: number) => client.call('POST /admin/users/:id/transfer', { params: { id: user.id }, body: { to_user_id: id } }),
    {
      stale: ['users', 'images', 'audit', 'stats'],
      done: ({ images }) => t('users.transferred', { count: images, formatted: format.number(images) }),
      after: onClose,
      quiet: true,
    },
  );
  return (
    <FormDialog
      title={t('users.transferTitle', { name: user.username })}
      submit={t('users.transfer')}
      change={change}
      changed={to !== null}
      onClose={onClose}
      onSubmit={() => (to === null ? setMissing(true) : change.mutate(to))}
    >
      <Text size="sm">{t('users.transferText', { count, formatted: format.number(count) })}</Text>
      <UserSelect
        label={t('users.transferTo')}
        data-autofocus
        without={user.id}
        value={to}
        onChange={setTo}
        error={missing && to === null && t('users.transferMissing')}
      />
    </FormDialog>
  );
}
