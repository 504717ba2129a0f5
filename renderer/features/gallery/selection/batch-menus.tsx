import { Button, Menu, Popover } from '@mantine/core';
import {
  IconAlbum,
  IconAlbumOff,
  IconCalendarTime,
  IconDownload,
  IconEye,
  IconPhotoStar,
  IconStar,
  IconStarOff,
  IconUser,
  IconWorld,
} from '@tabler/icons-react';
import { useState } from 'react';
import { addressOf } from '#api/client.ts';
import { MAX_BATCH } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { useAlbumName } from '#renderer/albums/albums.ts';
import { useSetCover } from '#renderer/albums/set-cover.ts';
import { Questions } from '#renderer/components/notices/questions.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { BatchTarget } from '#renderer/images/list/batch.ts';
import { AlbumChoices, type AlbumChoicesProps } from './album-choices.tsx';
import { type AskedDate, DateDialog } from './date-dialog.tsx';
import { ExpiryMenu } from './expiry-menu.tsx';
import { ICON, menuButton } from './menu-button.ts';
import { TagMenu } from './tag-menu.tsx';
import { useApply } from './use-apply.tsx';

interface Props {
  target: BatchTarget;
  /** The album that the page shows, if any. */
  albumId: string | undefined;
  /** Called when what was selected isn't to stay selected. */
  onDone: () => void;
}

/** Changes all selected images. Single ones stay selected for the next change, unless they have moved. */
export function BatchMenus({ target, albumId, onDone }: Props) {
  const apply = useApply(target, onDone);
  const [image, ...others] = target.images;
  const single = target.sets.length === 0 && others.length === 0 ? image : undefined;
  return (
    <Questions>
      <AlbumMenu
        target={target}
        onAdd={(album_id, album) => apply({ action: 'album_add', album_id, album })}
        onMove={(album_id, album) => apply({ action: 'move', album_id, album })}
      />
      {albumId && <RemoveButton albumId={albumId} onRemove={(album) => apply({ action: 'album_remove', album_id: albumId, album })} />}
      <TagMenu images={target.images} onTag={(tags, mode) => apply({ action: 'tag', tags, mode })} />
      <VisibilityMenu onChange={(visibility) => apply({ action: 'visibility', visibility })} />
      <FavouriteMenu onChange={(favourite) => apply({ action: 'favourite', favourite })} />
      <DateButton target={target} onChange={(date) => apply({ action: 'date', ...date })} />
      <ExpiryMenu onChange={(expiry) => apply({ action: 'expiry', ...expiry })} />
      {albumId && single && <CoverButton image={single} albumId={albumId} />}
      <Download target={target} />
    </Questions>
  );
}

function AlbumMenu({ target, onAdd, onMove }: AlbumChoicesProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const closing =
    <Choice extends unknown[]>(choose: (...choice: Choice) => void) =>
    (...choice: Choice) => {
      setOpened(false);
      choose(...choice);
    };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button {...menuButton(t('library.addTo'), <IconAlbum {...ICON} />)} onClick={() => setOpened(!opened)}>
          {t('library.addTo')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('library.addTo')} p={6}>
        {/* Closed, it forgets what was typed. */}
        {opened && <AlbumChoices target={target} onAdd={closing(onAdd)} onMove={closing(onMove)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function RemoveButton({ albumId, onRemove }: { albumId: string; onRemove: (album: string) => void }) {
  const { t } = useTranslation();
  const name = useAlbumName(albumId) ?? '';
  return (
    <Button
      {...menuButton(t('library.removeFromAlbum'), <IconAlbumOff {...ICON} />)}
      className={`${classes.roomy} ${classes.inAlbum}`}
      onClick={() => onRemove(name)}
    >
      {t('library.removeFromAlbum')}
    </Button>
  );
}

function VisibilityMenu({ onChange }: { onChange: (visibility: 'public' | 'private') => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...menuButton(t('details.visibility'), <IconEye {...ICON} />)}>{t('details.visibility')}</Button>
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
        <Button {...menuButton(t('selection.favourites'), <IconStar {...ICON} />)} className={classes.wordless} />
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

function DateButton({ target, onChange }: { target: BatchTarget; onChange: (date: AskedDate) => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        {...menuButton(t('selection.date'), <IconCalendarTime {...ICON} />)}
        className={classes.wordless}
        onClick={() => setAsking(true)}
      />
      {asking && <DateDialog target={target} onClose={() => setAsking(false)} onChange={onChange} />}
    </>
  );
}

function CoverButton({ image, albumId }: { image: Image; albumId: string }) {
  const { t } = useTranslation();
  const setCover = useSetCover();
  return (
    <Button
      {...menuButton(t('albums.useAsCover'), <IconPhotoStar {...ICON} />)}
      className={classes.wordless}
      onClick={() => setCover(albumId, image)}
    />
  );
}

function Download({ target }: { target: BatchTarget }) {
  const { t } = useTranslation();
  const address = zipAddress(target);
  const label = address ? t('library.zip') : t('selection.zipMixed', { max: MAX_BATCH });
  if (!address) return <Button {...menuButton(label, <IconDownload {...ICON} />)} className={classes.wordless} disabled />;
  return <Button {...menuButton(label, <IconDownload {...ICON} />)} className={classes.wordless} component="a" href={address} download />;
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
