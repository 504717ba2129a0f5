import { Button, Group, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLibraryPhoto, IconSearch, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { useChange } from '../use-change.ts';
import { UserSelect } from '../user-select.tsx';
import { ImageTile } from './image-tile.tsx';
import classes from './images.module.css';

interface Filter {
  state: 'live' | 'trash';
  visibility: 'public' | 'private' | null;
  user: number | null;
  guests: boolean;
}

/** All users' pictures. */
export function ImagesPage() {
  const { t } = useTranslation('admin');
  const [filter, setFilter] = useState<Filter>({ state: 'live', visibility: null, user: null, guests: false });
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = {
    state: filter.state,
    ...(filter.visibility && { visibility: filter.visibility }),
    ...(filter.user !== null && { user_id: filter.user }),
    ...(filter.guests && { guests: 'true' as const }),
    ...(q && { q }),
  };
  const isFiltered = Object.keys(query).length > 1 || filter.state === 'trash';
  const list = usePaged(['images', query], (cursor, signal) =>
    client.call('GET /admin/images', { query: { ...query, cursor, limit: 60 }, signal }),
  );
  const toggle = (key: string) => setSelected((before) => (before.has(key) ? without(before, key) : new Set(before).add(key)));
  const narrow = (part: Partial<Filter>) => {
    setFilter({ ...filter, ...part });
    setSelected(new Set());
  };
  return (
    <AdminPage
      title={t('sections.images')}
      intro={t('images.intro')}
      action={<PurgeButton keys={[...selected]} onDone={() => setSelected(new Set())} />}
    >
      <Group mb="lg" gap="sm">
        <TextInput
          type="search"
          aria-label={t('images.search')}
          placeholder={t('images.search')}
          leftSection={<IconSearch size={16} />}
          flex="1 1 11rem"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('images.state')}
          value={filter.state}
          onChange={(state) => narrow({ state: state === 'trash' ? 'trash' : 'live' })}
          data={[
            { value: 'live', label: t('images.live') },
            { value: 'trash', label: t('images.trash') },
          ]}
        />
        <Select
          aria-label={t('images.visibility')}
          placeholder={t('images.visibility')}
          clearable
          clearButtonProps={{ 'aria-label': t('images.allVisibilities') }}
          w={160}
          value={filter.visibility}
          onChange={(value) => narrow({ visibility: value === 'public' || value === 'private' ? value : null })}
          data={[
            { value: 'public', label: t('images.public') },
            { value: 'private', label: t('images.private') },
          ]}
        />
        <UserSelect
          aria-label={t('images.user')}
          placeholder={t('images.user')}
          clearable
          clearButtonProps={{ 'aria-label': t('images.allUsers') }}
          w={160}
          value={filter.user}
          onChange={(user) => narrow({ user, guests: false })}
        />
        <Switch
          label={t('images.onlyGuests')}
          checked={filter.guests}
          onChange={(event) => narrow({ guests: event.currentTarget.checked, user: null })}
        />
      </Group>
      <PagedList
        list={list}
        label={t('sections.images')}
        className={classes.grid}
        empty={
          <EmptyState
            art={<IconLibraryPhoto size={48} stroke={1.2} aria-hidden />}
            title={t(isFiltered ? 'images.none' : 'images.empty')}
            text={t(isFiltered ? 'images.noneText' : 'images.emptyText')}
          />
        }
      >
        {(image) => <ImageTile image={image} selected={selected.has(image.key)} onToggle={() => toggle(image.key)} />}
      </PagedList>
    </AdminPage>
  );
}

function without(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const rest = new Set(keys);
  rest.delete(key);
  return rest;
}

function PurgeButton({ keys, onDone }: { keys: string[]; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const ask = useAsk();
  const count = keys.length;
  const purge = useChange(() => client.call('POST /admin/images/purge', { body: { keys } }), {
    stale: ['images', 'users', 'audit', 'space', 'stats'],
    // Pictures that another user deleted in the meantime don't count.
    done: ({ results }) => t('images.purged', { count: results.filter(({ ok }) => ok).length }),
    after: onDone,
  });
  if (!count) return null;
  return (
    <Button
      color="red.8"
      leftSection={<IconTrash size={18} />}
      loading={purge.isPending}
      onClick={() =>
        ask({
          title: t('images.purgeTitle', { count }),
          text: t('images.purgeText', { count }),
          confirm: t('images.purgeConfirm'),
          onConfirm: () => purge.mutate(undefined),
        })
      }
    >
      {t('images.purge', { count })}
    </Button>
  );
}
