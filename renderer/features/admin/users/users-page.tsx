import { Button, Group, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAdminFilters } from '../filters.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { SearchField } from '../search-field.tsx';
import { useGroups } from '../use-groups.ts';
import { CreateUser } from './create-user.tsx';
import { UserRow } from './user-row.tsx';

export function UsersPage() {
  const { t } = useTranslation('admin');
  const [creating, { open, close }] = useDisclosure(false);
  const { filters, narrow } = useAdminFilters();
  const { q, group } = filters;
  const groups = useGroups();
  const query = { ...(q && { q }), ...(group && { group_id: group }) };
  const list = usePaged(['users', query], (cursor, signal) => client.call('GET /admin/users', { query: { ...query, cursor }, signal }));
  return (
    <AdminPage
      title={t('sections.users')}
      intro={t('users.intro')}
      action={
        <Button leftSection={<IconUserPlus size={18} />} onClick={open}>
          {t('users.create')}
        </Button>
      }
    >
      <Group mb="md" gap="sm">
        <SearchField label={t('users.search')} value={q} onSearch={(text) => narrow({ q: text })} />
        <Select
          aria-label={t('users.byGroup')}
          placeholder={t('users.allGroups')}
          clearable
          clearButtonProps={{ 'aria-label': t('users.allGroups') }}
          w={190}
          value={group ? String(group) : null}
          onChange={(id) => narrow({ group: id ? Number(id) : undefined })}
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </Group>
      <PagedList
        list={list}
        label={t('sections.users')}
        empty={<EmptyState art={<IconUsers size={48} stroke={1.2} aria-hidden />} title={t('users.none')} text={t('users.noneText')} />}
      >
        {(user) => <UserRow user={user} />}
      </PagedList>
      {creating && <CreateUser onClose={close} />}
    </AdminPage>
  );
}
