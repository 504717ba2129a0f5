import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AdminUser } from '#api/admin/users.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import { useConfirmName } from '#renderer/components/forms/confirm-name.tsx';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { UserSelect } from '../user-select.tsx';

type Images = 'trash' | 'move';

/** Deletes an account; its pictures go to the trash or to another account. */
export function DeleteUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [images, setImages] = useState<Images>('trash');
  const [to, setTo] = useState<number | null>(null);
  const [missing, setMissing] = useState(false);
  const name = useConfirmName(user.username);
  const change = useChange(
    (to_user_id: number | undefined) =>
      client.call('DELETE /admin/users/:id', { params: { id: user.id }, query: { ...(to_user_id !== undefined && { to_user_id }) } }),
    {
      stale: ['users', 'groups', 'images', 'audit'],
      done: () => t('deletion.started', { name: user.username }),
      after: onClose,
      quiet: true,
    },
  );
  const submit = () => {
    const isConfirmed = name.confirmed();
    setMissing(true);
    if (isConfirmed && (images === 'trash' || to !== null)) change.mutate(images === 'move' && to !== null ? to : undefined);
  };
  return (
    <FormDialog
      title={t('deletion.title', { name: user.username })}
      submit={t('deletion.submit')}
      danger
      change={change}
      changed={name.typed || images !== 'trash'}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('deletion.text')}</Text>
      <Radio.Group label={t('deletion.images')} value={images} onChange={(choice) => setImages(choice === 'move' ? 'move' : 'trash')}>
        <Stack gap="xs" mt="xs">
          <Radio value="trash" label={t('deletion.trash')} description={t('deletion.trashHint', { days: TRASH_DAYS })} />
          <Radio value="move" label={t('deletion.move')} description={t('deletion.moveHint')} />
        </Stack>
      </Radio.Group>
      {images === 'move' && (
        <UserSelect
          label={t('users.transferTo')}
          without={user.id}
          value={to}
          onChange={setTo}
          error={missing && to === null && t('users.transferMissing')}
        />
      )}
      {name.field}
    </FormDialog>
  );
}
