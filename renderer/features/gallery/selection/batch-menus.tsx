import { Button, Menu, Popover } from '@mantine/core';
import {
  IconAlbum,
  IconAlbumOff,
  IconCalendarTime,
  IconDownload,
  IconEye,
  IconPhotoStar,
  IconSend,
  IconStar,
  IconStarOff,
  IconUser,
  IconWorld,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import type { SharedImage } from '#api/albums/pictures.ts';
import { addressOf } from '#api/client.ts';
import { MAX_BATCH } from '#api/constants.ts';
import { AlbumChoices, type AlbumChoicesProps } from '#renderer/albums/album-choices.tsx';
import { useAlbum } from '#renderer/albums/albums.ts';
import { LaterSendDialog } from '#renderer/albums/sending/later-send-dialog.tsx';
import { useSetCover } from '#renderer/albums/set-cover.ts';
import { Questions } from '#renderer/components/notices/questions.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type AnyImage, amountOf, type BatchTarget } from '#renderer/images/list/batch.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { type AskedDate, DateDialog } from './date-dialog.tsx';
import { ExpiryMenu } from './expiry-menu.tsx';
import { ICON, menuButton } from './menu-button.ts';
import { TagMenu } from './tag-menu.tsx';
import { useApply } from './use-apply.tsx';

interface Refusable {
  /** Why the selected images can't be changed. */
  refusal: string | undefined;
}

interface Props extends Refusable {
  target: BatchTarget;
  /** Those selected as well that are other members' pictures. */
  others: readonly SharedImage[];
  /** The album that the page shows, if any. */
  albumId: string | undefined;
  /** Called when what was selected isn't to stay selected. */
  onDone: () => void;
}

/** Changes all selected images. Single ones stay selected for the next change, unless they have moved. */
export function BatchMenus({ target, others, refusal, albumId, onDone }: Props) {
  const apply = useApply(target, onDone);
  const [image, ...more] = [...target.images, ...others];
  const single = target.sets.length === 0 && more.length === 0 ? image : undefined;
  return (
    <Questions>
      <AlbumMenu
        target={target}
        refusal={refusal}
        onAdd={(album_id, album) => apply({ action: 'album_add', album_id, album })}
        onMove={(album_id, album) => apply({ action: 'move', album_id, album })}
      />
      <SendButton target={target} refusal={refusal} />
      {albumId && <InAlbum albumId={albumId} target={target} others={others} single={single} onDone={onDone} />}
      <TagMenu images={target.images} refusal={refusal} onTag={(tags, mode) => apply({ action: 'tag', tags, mode })} />
      <VisibilityMenu refusal={refusal} onChange={(visibility) => apply({ action: 'visibility', visibility })} />
      <FavouriteMenu refusal={refusal} onChange={(favourite) => apply({ action: 'favourite', favourite })} />
      <DateButton target={target} refusal={refusal} onChange={(date) => apply({ action: 'date', ...date })} />
      <ExpiryMenu refusal={refusal} onChange={(expiry) => apply({ action: 'expiry', ...expiry })} />
      {others.length === 0 && <Download address={zipAddress(target)} />}
    </Questions>
  );
}

function AlbumMenu({ target, refusal, onAdd, onMove }: Required<AlbumChoicesProps> & Refusable) {
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
        <Button {...menuButton(t('library.addTo'), <IconAlbum {...ICON} />, refusal)} onClick={() => setOpened(!opened)}>
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

interface InAlbumProps extends Omit<Props, 'albumId' | 'refusal'> {
  albumId: string;
  single: AnyImage | undefined;
}

/** What can be done in the album alone, by those who manage it also with others' pictures. */
function InAlbum({ albumId, target, others, single, onDone }: InAlbumProps) {
  const { t } = useTranslation();
  const { album } = useAlbum(albumId);
  const manages = album !== undefined && mayManage(album);
  const removed = manages && others.length > 0 ? { ...target, others } : target;
  const apply = useApply(removed, onDone);
  const refusal = amountOf(target) === 0 && !removed.others ? t('members.managersOnly') : undefined;
  return (
    <>
      <Button
        {...menuButton(t('library.removeFromAlbum'), <IconAlbumOff {...ICON} />, refusal)}
        className={`${classes.roomy} ${classes.inAlbum}`}
        onClick={() => apply({ action: 'album_remove', album_id: albumId, album: album?.name ?? '' })}
      >
        {t('library.removeFromAlbum')}
      </Button>
      {manages && single && <CoverButton image={single} albumId={albumId} />}
      {album && others.length > 0 && <DownloadFrom album={album} images={[...target.images, ...others]} />}
    </>
  );
}

/** Downloads pictures of several members. */
function DownloadFrom({ album, images }: { album: Album; images: readonly AnyImage[] }) {
  const { t } = useTranslation();
  const keys = images.length > MAX_BATCH ? undefined : images.map(({ key }) => key).join(',');
  const mayDownload = album.role === 'owner' || album.allow_download;
  const address = keys && mayDownload ? addressOf('GET /a/:id/download', { params: { id: album.id }, query: { keys } }) : undefined;
  return <Download address={address} refusal={mayDownload ? undefined : t('members.noZip')} />;
}

function SendButton({ target, refusal }: Refusable & { target: BatchTarget }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [sending, setSending] = useState(false);
  const tooMany = amountOf(target) > MAX_BATCH ? t('sentPictures.tooMany', { formatted: format.number(MAX_BATCH) }) : undefined;
  return (
    <>
      <Button {...menuButton(t('sentPictures.send'), <IconSend {...ICON} />, refusal ?? tooMany)} onClick={() => setSending(true)}>
        {t('sentPictures.send')}
      </Button>
      {sending && <LaterSendDialog target={target} onClose={() => setSending(false)} />}
    </>
  );
}

function VisibilityMenu({ refusal, onChange }: Refusable & { onChange: (visibility: 'public' | 'private') => void }) {
  const { t } = useTranslation();
  const whoCanOpen = useWhoCanOpen();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...menuButton(t('details.visibility'), <IconEye {...ICON} />, refusal)}>{t('details.visibility')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconWorld size={16} />} onClick={() => onChange('public')}>
          {whoCanOpen('public')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => onChange('private')}>
          {whoCanOpen('private')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Both choices, since some of the selected images can be favourites already, and not all of them need be loaded. */
function FavouriteMenu({ refusal, onChange }: Refusable & { onChange: (favourite: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...menuButton(t('selection.favourites'), <IconStar {...ICON} />, refusal)} className={classes.wordless} />
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

function DateButton({ target, refusal, onChange }: Refusable & { target: BatchTarget; onChange: (date: AskedDate) => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        {...menuButton(t('selection.date'), <IconCalendarTime {...ICON} />, refusal)}
        className={classes.wordless}
        onClick={() => setAsking(true)}
      />
      {asking && <DateDialog target={target} onClose={() => setAsking(false)} onChange={onChange} />}
    </>
  );
}

function CoverButton({ image, albumId }: { image: AnyImage; albumId: string }) {
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

/** @param address undefined: one zip can't have all of that, or `refusal` says why there is none */
function Download({ address, refusal }: { address: string | undefined; refusal?: string | undefined }) {
  const { t } = useTranslation();
  const reason = address ? undefined : (refusal ?? t('selection.zipMixed', { max: MAX_BATCH }));
  const button = menuButton(reason ?? t('library.zip'), <IconDownload {...ICON} />, reason);
  if (!address) return <Button {...button} className={classes.wordless} />;
  return <Button {...button} className={classes.wordless} component="a" href={address} download />;
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
