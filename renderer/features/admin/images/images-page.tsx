import { Button, Checkbox, Group, SegmentedControl, Select } from '@mantine/core';
import { IconLibraryPhoto, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { AdminImage } from '#api/admin/images.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Badges, useDescribe } from '#renderer/images/grid/badges.tsx';
import { keepSize } from '#renderer/images/grid/keep-size.ts';
import { client } from '#renderer/service/client.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { useAsk } from '../ask.tsx';
import { type AdminFilters, useAdminFilters } from '../filters.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { SearchField } from '../search-field.tsx';
import { useChange } from '../use-change.ts';
import { UserSelect } from '../user-select.tsx';
import classes from './images.module.css';

/** All users' pictures. */
export function ImagesPage() {
  const { t } = useTranslation('admin');
  const whoCanOpen = useWhoCanOpen();
  const address = useAdminFilters();
  const { q, visibility, user, guests } = address.filters;
  const state: 'live' | 'trash' = address.filters.state ?? 'live';
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = {
    state,
    ...(visibility && { visibility }),
    ...(user && { user_id: user }),
    ...(guests && { guests: 'true' as const }),
    ...(q && { q }),
  };
  const isFiltered = Object.keys(query).length > 1 || state === 'trash';
  const list = usePaged(['images', query], (cursor, signal) =>
    client.call('GET /admin/images', { query: { ...query, cursor, limit: 60 }, signal }),
  );
  const toggle = (key: string) => setSelected((before) => (before.has(key) ? without(before, key) : new Set(before).add(key)));
  const narrow = (part: AdminFilters) => {
    address.narrow(part);
    setSelected(new Set());
  };
  return (
    <AdminPage
      title={t('sections.images')}
      intro={t('images.intro')}
      action={<PurgeButton keys={[...selected]} onDone={() => setSelected(new Set())} />}
    >
      <Group mb="lg" gap="sm">
        <SearchField label={t('images.search')} value={q} onSearch={(text) => narrow({ q: text })} />
        <SegmentedControl
          aria-label={t('images.state')}
          value={state}
          onChange={(value) => narrow({ state: value === 'trash' ? 'trash' : undefined })}
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
          value={visibility ?? null}
          onChange={(value) => narrow({ visibility: value === 'public' || value === 'private' ? value : undefined })}
          data={[
            { value: 'public', label: whoCanOpen('public') },
            { value: 'private', label: t('images.private') },
          ]}
        />
        <UserSelect
          aria-label={t('images.user')}
          placeholder={t('images.user')}
          clearable
          clearButtonProps={{ 'aria-label': t('images.allUsers') }}
          w={160}
          value={user ?? null}
          onChange={(id) => narrow({ user: id ?? undefined, guests: undefined })}
        />
        <Switch
          label={t('images.onlyGuests')}
          checked={guests === true}
          onChange={(event) => narrow({ guests: event.currentTarget.checked || undefined, user: undefined })}
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

interface Props {
  image: AdminImage;
  selected: boolean;
  onToggle: () => void;
}

/** One picture with its owner and a checkbox. Pictures in the trash have no link. */
function ImageTile({ image, selected, onToggle }: Props) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const describe = useDescribe();
  const owner = image.owner?.username ?? (image.uploader_address ? t('images.guestAt', { address: image.uploader_address }) : t('guests'));
  return (
    <li className={classes.tile} data-selected={selected || undefined}>
      {image.deleted_at ? (
        <span className={classes.image} aria-hidden="true" />
      ) : (
        <a
          className={classes.image}
          href={`/i/${image.key}.${image.ext}`}
          target="_blank"
          rel="noreferrer"
          aria-label={describe(t('images.open', { name: image.name }), image)}
        >
          <img src={`/t/${image.key}.jpg?w=400`} alt="" loading="lazy" decoding="async" onLoad={keepSize} />
          <Badges image={{ ...image, favourite: false }} />
        </a>
      )}
      <div className={classes.caption}>
        <Checkbox size="1.5rem" radius="xl" checked={selected} onChange={onToggle} aria-label={t('images.select', { name: image.name })} />
        <div>
          <div className={classes.name} title={image.name} dir="auto">
            {image.name}
          </div>
          <div className={classes.owner}>
            <bdi>{owner}</bdi> · {format.bytes(image.size)}
          </div>
        </div>
      </div>
    </li>
  );
}
