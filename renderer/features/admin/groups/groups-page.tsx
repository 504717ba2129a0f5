import { Button } from '@mantine/core';
import { IconId, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Group } from '#api/admin/groups.ts';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { useGroups } from '../use-groups.ts';
import { GroupDialog } from './group-dialog.tsx';
import { GroupRow } from './group-row.tsx';

export function GroupsPage() {
  const { t } = useTranslation('admin');
  const [edited, setEdited] = useState<Group | 'new'>();
  const list = usePaged(['groups', 'list'], (cursor, signal) => client.call('GET /admin/groups', { query: { cursor }, signal }));
  const model = useGroups().find(({ kind }) => kind === 'default');
  return (
    <AdminPage
      title={t('sections.groups')}
      intro={t('groups.intro')}
      action={
        <Button leftSection={<IconPlus size={18} />} disabled={!model} onClick={() => setEdited('new')}>
          {t('groups.create')}
        </Button>
      }
    >
      <PagedList
        list={list}
        label={t('sections.groups')}
        empty={<EmptyState art={<IconId size={48} stroke={1.2} aria-hidden />} title={t('groups.none')} text={t('groups.intro')} />}
      >
        {(group) => <GroupRow group={group} onEdit={() => setEdited(group)} />}
      </PagedList>
      {edited && model && <GroupDialog group={edited === 'new' ? undefined : edited} model={model} onClose={() => setEdited(undefined)} />}
    </AdminPage>
  );
}
