import { Alert, Badge, Button, Checkbox, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFolders, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Policy } from '#api/admin/policies.ts';
import { ApiError } from '#api/client.ts';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';
import { MoveDialog, MoveProgress } from './move.tsx';
import { PolicyDialog } from './policy-dialog.tsx';

/** Where pictures are stored, and how new uploads are processed. */
export function PoliciesPage() {
  const { t } = useTranslation('admin');
  const [edited, setEdited] = useState<Policy | 'new'>();
  const [moved, setMoved] = useState<Policy>();
  const [deleted, setDeleted] = useState<Policy>();
  const list = usePaged(['policies', 'list'], (cursor, signal) => client.call('GET /admin/policies', { query: { cursor }, signal }));
  const policies = list.items ?? [];
  return (
    <AdminPage
      title={t('sections.policies')}
      intro={t('policies.intro')}
      action={
        <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
          {t('policies.create')}
        </Button>
      }
    >
      <PagedList
        list={list}
        label={t('sections.policies')}
        empty={
          <EmptyState art={<IconFolders size={48} stroke={1.2} aria-hidden />} title={t('policies.none')} text={t('policies.intro')} />
        }
      >
        {(policy) => (
          <PolicyRow
            policy={policy}
            policies={policies}
            onEdit={() => setEdited(policy)}
            onMove={() => setMoved(policy)}
            onDelete={() => setDeleted(policy)}
          />
        )}
      </PagedList>
      {edited && <PolicyDialog policy={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {moved && <MoveDialog policy={moved} others={policies.filter(({ id }) => id !== moved.id)} onClose={() => setMoved(undefined)} />}
      {deleted && <DeletePolicy policy={policies.find(({ id }) => id === deleted.id) ?? deleted} onClose={() => setDeleted(undefined)} />}
    </AdminPage>
  );
}

interface RowProps {
  policy: Policy;
  policies: Policy[];
  onEdit: () => void;
  onMove: () => void;
  onDelete: () => void;
}

function PolicyRow({ policy, policies, onEdit, onMove, onDelete }: RowProps) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const given = useGivenName();
  const name = given(policy.name);
  const place = policy.config ? [policy.config.endpoint, policy.config.bucket, policy.config.prefix].join('/') : policy.folder;
  const rules = [
    policy.max_side > 0 && t('policies.sideFact', { side: policy.max_side }),
    policy.convert_to && t('policies.convertFact', { format: policy.convert_to.toUpperCase() }),
    t(policy.keep_metadata ? 'policies.metadataKept' : 'policies.metadataRemoved'),
    t('policies.pictures', { count: policy.image_count, formatted: format.number(policy.image_count) }),
  ];
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h2>
          {name}
          <Badge variant="default" tt="none">
            {policy.config ? t('storage.inBucket') : t(policy.folder === null ? 'policies.dataFolder' : 'policies.ownFolder')}
          </Badge>
        </h2>
        <Facts facts={rules} />
        {place && <p className={shared.mono}>{place}</p>}
        {policy.move && (
          <MoveProgress
            policy={policy}
            move={policy.move}
            target={given(policies.find(({ id }) => id === policy.move?.to_policy_id)?.name ?? '')}
          />
        )}
      </div>
      <div className={shared.actions}>
        <Button variant="default" size="xs" aria-label={t('editOne', { name })} onClick={onEdit}>
          {t('edit')}
        </Button>
        {policies.length > 1 && policy.image_count > 0 && !policy.move && (
          <Button variant="default" size="xs" aria-label={t('storage.moveOne', { name })} onClick={onMove}>
            {t('storage.move')}
          </Button>
        )}
        {place && (
          <Button variant="subtle" color="red" size="xs" aria-label={t('deleteOne', { name })} onClick={onDelete}>
            {t('delete')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Deletes a policy. Files of deleted pictures that can’t be removed yet can be left in its storage. */
function DeletePolicy({ policy, onClose }: { policy: Policy; onClose: () => void }) {
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
