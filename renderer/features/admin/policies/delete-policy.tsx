import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Policy } from '#api/admin/policies.ts';
import { ApiError } from '#api/client.ts';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';

/** Deletes a policy. Files of deleted pictures that can’t be removed yet can be left in its storage. */
export function DeletePolicy({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const name = useGivenName()(policy.name);
  const [forget, setForget] = useState(false);
  const change = useChange(
    () => client.call('DELETE /admin/policies/:id', { params: { id: policy.id }, query: forget ? { forget_files: 'true' } : {} }),
    { stale: ['policies', 'audit', 'system'], done: () => t('deleted', { name }), after: onClose, quiet: true },
  );
  const { files, bytes } = policy.unused;
  const isStuck = files > 0 && change.error instanceof ApiError && change.error.code === 'unavailable';
  return (
    <FormDialog
      title={t('deleteTitle', { name })}
      submit={t('delete')}
      danger
      change={{ isPending: change.isPending, error: isStuck ? null : change.error }}
      changed={forget}
      onClose={onClose}
      onSubmit={() => change.mutate(undefined)}
    >
      <Text size="sm">{t('policies.deleteText')}</Text>
      {(isStuck || forget) && (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={20} />} title={t('storage.stuck')}>
          <Stack gap="sm">
            <Text size="sm" c="var(--mantine-color-text)">
              {t('storage.stuckText', { count: files, formatted: format.number(files), size: format.bytes(bytes) })}
            </Text>
            <Checkbox label={t('storage.forget')} checked={forget} onChange={(event) => setForget(event.currentTarget.checked)} />
          </Stack>
        </Alert>
      )}
    </FormDialog>
  );
}
