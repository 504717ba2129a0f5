import { Button, Menu, Popover, Stack, TagsInput } from '@mantine/core';
import {
  IconAlbum,
  IconClock,
  IconDownload,
  IconEye,
  IconPhotoStar,
  IconStar,
  IconStarOff,
  IconTag,
  IconUser,
  IconWorld,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '#api/client.ts';
import { MAX_BATCH, MAX_TAG_LENGTH } from '#api/constants.ts';
import { DAY } from '#api/durations.ts';
import type { Image } from '#api/images/images.ts';
import { useSetCover } from '#renderer/albums/set-cover.ts';
import { Questions } from '#renderer/components/notices/questions.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import { EXPIRIES } from '#renderer/images/expiries.ts';
import type { BatchTarget } from '#renderer/images/list/batch.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { AlbumChoices } from './album-choices.tsx';
import { useApply } from './use-apply.tsx';

interface Props {
  target: BatchTarget;
  /** The album that the page shows, if any. */
  albumId: string | undefined;
  /** Called when what was selected isn't to stay selected. */
  onDone: () => void;
}

const ICON = { size: 20, stroke: 1.7, 'aria-hidden': true } as const;

/** Makes a button one of the bar's: an icon, with its words where there is room. */
const button = (label: string, icon: ReactNode) =>
  ({
    variant: 'subtle',
    color: 'gray',
    size: 'sm',
    className: classes.roomy,
    'aria-label': label,
    title: label,
    leftSection: icon,
  }) as const;

/** Changes all selected images. Single ones stay selected for the next change, unless they have moved. */
export function BatchMenus({ target, albumId, onDone }: Props) {
  const apply = useApply(target, onDone);
  const [image, ...others] = target.images;
  const single = target.sets.length === 0 && others.length === 0 ? image : undefined;
  return (
    <Questions>
      <AlbumMenu onMove={(album_id, album) => apply({ action: 'move', album_id, album })} />
      <TagMenu onTag={(tags, mode) => apply({ action: 'tag', tags, mode })} />
      <VisibilityMenu onChange={(visibility) => apply({ action: 'visibility', visibility })} />
      <FavouriteMenu onChange={(favourite) => apply({ action: 'favourite', favourite })} />
      <ExpiryMenu onChange={(expires_in) => apply({ action: 'expiry', expires_in })} />
      {albumId && single && <CoverButton image={single} />}
      <Download target={target} />
    </Questions>
  );
}

function AlbumMenu({ onMove }: { onMove: (albumId: string | null, name?: string) => void }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const move = (albumId: string | null, name?: string) => {
    setOpened(false);
    onMove(albumId, name);
  };
  return (
    <Menu position="bottom-end" width={260} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button {...button(t('library.moveTo'), <IconAlbum {...ICON} />)}>{t('library.moveTo')}</Button>
      </Menu.Target>
      <Menu.Dropdown mah="min(26rem, 60vh)" style={{ overflowY: 'auto' }}>
        {/* Closed, it forgets the name of a new album. */}
        {opened && <AlbumChoices onChoose={move} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function TagMenu({ onTag }: { onTag: (tags: string[], mode: 'add' | 'remove') => void }) {
  const { t } = useTranslation();
  const { data: known } = useQuery(tagsQuery);
  const [opened, setOpened] = useState(false);
  const [tags, setTags] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  // Text that hasn't become a tag yet counts as one.
  const all = [...new Set([...tags, typed.trim()])].filter(Boolean);
  const apply = (mode: 'add' | 'remove') => {
    setOpened(false);
    setTags([]);
    setTyped('');
    onTag(all, mode);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button {...button(t('library.tags'), <IconTag {...ICON} />)} onClick={() => setOpened(!opened)}>
          {t('library.tags')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('library.tags')}>
        <Stack gap="sm">
          <TagsInput
            label={t('library.tags')}
            description={t('library.tagsHint')}
            value={tags}
            onChange={setTags}
            searchValue={typed}
            onSearchChange={setTyped}
            data={known ?? []}
            maxLength={MAX_TAG_LENGTH}
            acceptValueOnBlur
            openOnFocus={false}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          <Button size="xs" disabled={!all.length} onClick={() => apply('add')}>
            {t('library.tagAdd')}
          </Button>
          <Button size="xs" variant="default" disabled={!all.length} onClick={() => apply('remove')}>
            {t('library.tagRemove')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function VisibilityMenu({ onChange }: { onChange: (visibility: 'public' | 'private') => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...button(t('details.visibility'), <IconEye {...ICON} />)}>{t('details.visibility')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconWorld size={16} />} onClick={() => onChange('public')}>
          {t('details.public')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => onChange('private')}>
          {t('details.private')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Both choices, since some of the selected images can be favourites already, and not all of them need be loaded. */
function FavouriteMenu({ onChange }: { onChange: (favourite: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...button(t('selection.favourites'), <IconStar {...ICON} />)} className={classes.wordless} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconStar size={16} />} onClick={() => onChange(true)}>
          {t('selection.favour')}
        </Menu.Item>
        <Menu.Item leftSection={<IconStarOff size={16} />} onClick={() => onChange(false)}>
          {t('selection.unfavour')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** An hour is too short for many pictures at once. */
const LONG_EXPIRIES = EXPIRIES.filter(({ seconds }) => seconds >= DAY);

function ExpiryMenu({ onChange }: { onChange: (expiresIn: number) => void }) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const max = limits?.max_expires_in || Number.POSITIVE_INFINITY;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...button(t('selection.expires'), <IconClock {...ICON} />)}>{t('selection.expires')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {!limits?.max_expires_in && <Menu.Item onClick={() => onChange(0)}>{t('library.never')}</Menu.Item>}
        {LONG_EXPIRIES.filter(({ seconds }) => seconds <= max).map(({ seconds, label }) => (
          <Menu.Item key={seconds} onClick={() => onChange(seconds)}>
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function CoverButton({ image }: { image: Image }) {
  const { t } = useTranslation();
  const setCover = useSetCover();
  return (
    <Button {...button(t('albums.useAsCover'), <IconPhotoStar {...ICON} />)} className={classes.wordless} onClick={() => setCover(image)} />
  );
}

function Download({ target }: { target: BatchTarget }) {
  const { t } = useTranslation();
  const address = zipAddress(target);
  const label = address ? t('library.zip') : t('selection.zipMixed', { max: MAX_BATCH });
  if (!address) return <Button {...button(label, <IconDownload {...ICON} />)} className={classes.wordless} disabled />;
  return <Button {...button(label, <IconDownload {...ICON} />)} className={classes.wordless} component="a" href={address} download />;
}

/** The address of a zip; undefined for more than one request can ask for. */
function zipAddress({ images, sets, except }: BatchTarget): string | undefined {
  const [set, ...others] = sets;
  if (!set) {
    if (images.length > MAX_BATCH) return undefined;
    return addressOf('GET /images/download', { query: { keys: images.map(({ key }) => key).join(',') } });
  }
  if (images.length > 0 || others.length > 0) return undefined;
  const { favourite, ...filters } = set.query;
  const query = { ...filters, favourite: favourite ? 'true' : undefined, except_keys: except.map(({ key }) => key).join(',') || undefined };
  return addressOf('GET /images/download', { query });
}
