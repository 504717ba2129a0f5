import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlbumOff, IconCheck, IconLink, IconPhotoStar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import type { SharedImage } from '#api/albums/pictures.ts';
import type { Image } from '#api/images/images.ts';
import { type MemberImage, useRemoveFromAlbum } from '#renderer/albums/members.ts';
import { useSetCover } from '#renderer/albums/set-cover.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useActions } from '#renderer/features/gallery/viewer/actions.tsx';
import { Details } from '#renderer/features/gallery/viewer/details.tsx';
import { useViewerKey } from '#renderer/features/gallery/viewer/use-viewer-key.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { imageQueryKey } from '#renderer/images/list/list.ts';
import { usePictureText } from '#renderer/images/text/picture-text.ts';
import { ImageLinks } from '#renderer/images/viewer/image-links.tsx';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { ViewerButton } from '#renderer/images/viewer/viewer-dialog.tsx';
import { ViewerBar, ViewerFrame } from '#renderer/images/viewer/viewer-frame.tsx';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './shared-viewer.module.css';

const Editor = lazy(() => load(() => import('#renderer/editor/editor.tsx')).then((module) => ({ default: module.Editor })));

interface Props {
  album: Album;
  /** The images that Previous and Next go through. */
  images: readonly MemberImage[];
  /** Key of the image to show. */
  shown: string;
  /** What `images` were searched for. */
  searched: string | undefined;
  /** Whether more images follow. */
  hasMore: boolean;
  /** Whether the image, one of the user's own, is being edited. */
  editing: boolean;
  onEdit: () => void;
  onEdited: (key?: string) => void;
  onShow: (key: string) => void;
  onClose: () => void;
  onRemove: (image: Image, after: () => void) => void;
  onNearEnd: () => void;
}

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 10;
const icon = { size: 20, stroke: 1.8 };

/** One picture of an album with members, as large as the window, and who added it. The user's own have all that the gallery has for them. */
export function SharedViewer(props: Props) {
  const { images, shown, editing, onEdited, onNearEnd } = props;
  const wide = useMediaQuery('(min-width: 60em)', undefined, { getInitialValueInEffect: false });
  const [details, setDetails] = useState(wide);
  const index = Math.max(
    0,
    images.findIndex(({ key }) => key === shown),
  );
  const image = images[index];
  useEffect(() => {
    if (index >= images.length - NEAR_END) onNearEnd();
  }, [index, images.length, onNearEnd]);
  const own = useOwn(image);
  if (editing && own?.kind === 'picture')
    return (
      <Suspense>
        <Editor key={own.key} image={own} onClose={() => onEdited()} onSaved={({ key }) => onEdited(key)} />
      </Suspense>
    );
  return <Shown {...props} index={index} own={own} details={details} onDetails={() => setDetails(!details)} />;
}

/** All that is known of an image of the user's own, also after a change. */
function useOwn(image: MemberImage | undefined): Image | undefined {
  const { data: session } = useQuery(sessionQuery);
  const isOwn = image !== undefined && image.owner.id === session?.user?.id;
  const { data } = useQuery({
    queryKey: imageQueryKey(image?.key ?? ''),
    queryFn: ({ signal }) => client.call('GET /images/:key', { params: { key: image?.key ?? '' }, signal }),
    enabled: isOwn,
    placeholderData: image?.own,
    staleTime: 30_000,
  });
  return isOwn ? data : undefined;
}

interface ShownProps extends Props {
  index: number;
  own: Image | undefined;
  details: boolean;
  onDetails: () => void;
}

function Shown({ album, images, index, own, searched, hasMore, details, ...on }: ShownProps) {
  const { t } = useTranslation();
  const image = images[index];
  const text = usePictureText(own ?? image, searched);
  const name = (own ?? image)?.title || (own ?? image)?.name;
  usePageTitle(name, 'picture');
  const remove = (removed: Image) =>
    on.onRemove(removed, () => {
      const next = images[index + 1] ?? images[index - 1];
      if (next) on.onShow(next.key);
      else on.onClose();
    });
  const { onDetails, onEdit } = on;
  const more = own && <InAlbum key={own.key} album={album} image={own} onRemoved={on.onClose} />;
  const { top, foot } = useActions(own, { details, onDetails, onEdit, onRemove: remove, more });
  useViewerKey('Delete', () => own && remove(own));
  useViewerKey('e', () => own?.kind === 'picture' && on.onEdit());
  const who = image && (image.added_by ?? image.owner);
  return (
    <ViewerFrame label={name} onClose={on.onClose} details={details && own && <Details image={own} />} foot={foot}>
      <ViewerBar name={name} onClose={on.onClose}>
        {top ?? (image && <Actions key={image.key} album={album} image={image} onRemoved={on.onClose} />)}
      </ViewerBar>
      <Stage
        counts
        images={images}
        index={index}
        total={hasMore ? 'more' : images.length}
        onShow={on.onShow}
        onClose={on.onClose}
        text={text}
      />
      {who && (
        <p className={classes.who}>
          <Avatar user={who} size={24} />
          {t('members.addedBy', { name: who.username })}
        </p>
      )}
    </ViewerFrame>
  );
}

interface ActionsProps {
  album: Album;
  image: SharedImage | Image;
  onRemoved: () => void;
}

/** What the user can do with one of their own images in this album alone. Owners have its cover in the menu already. */
function InAlbum({ album, image, onRemoved }: ActionsProps) {
  const { t } = useTranslation();
  const takeOut = useTakeOut({ album, image, onRemoved });
  const setCover = useSetCover();
  return (
    <>
      {mayManage(album) && album.role !== 'owner' && (
        <Menu.Item
          {...ownEscape}
          leftSection={<IconPhotoStar size={18} stroke={1.7} aria-hidden />}
          onClick={() => setCover(album.id, image)}
        >
          {t('albums.useAsCover')}
        </Menu.Item>
      )}
      <Menu.Item {...ownEscape} leftSection={<IconAlbumOff size={18} stroke={1.7} aria-hidden />} onClick={takeOut.run}>
        {t('library.removeFromAlbum')}
      </Menu.Item>
    </>
  );
}

/** Takes an image out of the album, and reports it. */
function useTakeOut({ album, image, onRemoved }: ActionsProps) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const remove = useRemoveFromAlbum(album.id);
  const run = () =>
    remove.mutate([image.key], {
      onSuccess: () => notifications.show({ color: 'petrol.7', title: t('members.removed'), message: image.name, autoClose: 3000 }),
      onError: (error) => notifyError(error),
      onSettled: onRemoved,
    });
  return { run, isPending: remove.isPending };
}

/** The actions for a picture of another member. */
function Actions({ album, image, onRemoved }: ActionsProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const takeOut = useTakeOut({ album, image, onRemoved });
  const setCover = useSetCover();
  const [done, setDone] = useState<'copied' | 'cover'>();
  const copyLink = async () => {
    if (await copy(image.links.url)) setDone('copied');
  };
  useViewerKey('copy', () => void copyLink());
  const Copy = done === 'copied' ? IconCheck : IconLink;
  const Cover = done === 'cover' ? IconCheck : IconPhotoStar;
  return (
    <>
      {mayManage(album) && (
        <ViewerButton
          label={t(done === 'cover' ? 'albums.coverSet' : 'albums.useAsCover')}
          onClick={() => {
            setCover(album.id, image);
            setDone('cover');
          }}
        >
          <Cover {...icon} />
        </ViewerButton>
      )}
      {mayManage(album) && (
        <ViewerButton label={t('library.removeFromAlbum')} disabled={takeOut.isPending} onClick={takeOut.run}>
          <IconAlbumOff {...icon} />
        </ViewerButton>
      )}
      <ViewerButton label={done === 'copied' ? t('links.copied') : t('publicAlbum.copyLink')} onClick={copyLink}>
        <Copy {...icon} />
      </ViewerButton>
      <ImageLinks image={image} />
    </>
  );
}
