import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AdminUser, listUsers, transferUser } from '#api/admin-users.ts';
import { useFormat } from '../../../i18n/format.ts';
import { client } from '../../../service/client.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useChange } from '../use-change.ts';

/** Moves everything that somebody has uploaded to another account. */
export function TransferUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const [to, setTo] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const { data } = useQuery({
    queryKey: ['admin', 'users', 'choice', q],
    queryFn: ({ signal }) => client.call(listUsers, { query: { limit: 50, ...(q && { q }) }, signal }),
    placeholderData: (before) => before,
  });
  const change = useChange((id: number) => client.call(transferUser, { params: { id: user.id }, body: { to_user_id: id } }), {
    stale: ['users', 'images', 'audit', 'stats'],
    done: ({ images }) => t('users.transferred', { count: images, formatted: format.number(images) }),
    after: onClose,
    quiet: true,
  });
  return (
    <FormDialog
      title={t('users.transferTitle', { name: user.username })}
      submit={t('users.transfer')}
      change={change}
      onClose={onClose}
      onSubmit={() => (to ? change.mutate(Number(to)) : setMissing(true))}
    >
      <Text size="sm">{t('users.transferText', { count: user.image_count, formatted: format.number(user.image_count) })}</Text>
      <Select
        label={t('users.transferTo')}
        searchable
        data-autofocus
        searchValue={text}
        onSearchChange={setText}
        filter={({ options }) => options}
        value={to}
        onChange={setTo}
        error={missing && !to && t('users.transferMissing')}
        nothingFoundMessage={t('users.none')}
        data={(data?.items ?? []).filter(({ id }) => id !== user.id).map(({ id, username }) => ({ value: String(id), label: username }))}
      />
    </FormDialog>
  );
}
