import { notifications } from '@mantine/notifications';
import { IconAlbumOff, IconCheck, IconDownload, IconExternalLink, IconLink, IconPhotoStar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import type { SharedImage } from '#api/albums/pictures.ts';
import { useRemoveFromAlbum } from '#renderer/albums/members.ts';
import { useSetCover } from '#renderer/albums/set-cover.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { downloadHref, shareHref } from '#renderer/images/sharing/address.ts';
import { usePictureText } from '#renderer/images/text/picture-text.ts';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { ViewerButton, ViewerDialog, ViewerLink } from '#renderer/images/viewer/viewer-dialog.tsx';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './shared-viewer.module.css';

interface Props {
  album: Album;
  /** The images that Previous and Next go through. */
  images: readonly SharedImage[];
  /** Key of the image to show. */
  shown: string;
  onShow: (key: string) => void;
  onClose: () => void;
  onNearEnd: () => void;
}

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 10;
const icon = { size: 20, stroke: 1.8 };

/** One picture of an album with members, as large as the window, and who added it. */
export function SharedViewer({ album, images, shown, onShow, onClose, onNearEnd }: Props) {
  const { t } = useTranslation();
  const index = Math.max(
    0,
    images.findIndex(({ key }) => key === shown),
  );
  const image = images[index];
  useEffect(() => {
    if (index >= images.length - NEAR_END) onNearEnd();
  }, [index, images.length, onNearEnd]);
  const text = usePictureText(image, undefined);
  const who = image && (image.added_by ?? image.owner);
  return (
    <ViewerDialog
      name={image?.title || image?.name}
      actions={image && <Actions key={image.key} album={album} image={image} onRemoved={onClose} />}
      onClose={onClose}
    >
      <Stage images={images} index={index} total={album.image_count} onShow={onShow} onClose={onClose} text={text} />
      {who && (
        <p className={classes.who}>
          <Avatar user={who} size={24} />
          {t('members.addedBy', { name: who.username })}
        </p>
      )}
    </ViewerDialog>
  );
}

function Actions({ album, image, onRemoved }: { album: Album; image: SharedImage; onRemoved: () => void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const notifyError = useNotifyError();
  const { data: session } = useQuery(sessionQuery);
  const remove = useRemoveFromAlbum(album.id);
  const setCover = useSetCover();
  const [done, setDone] = useState<'copied' | 'cover'>();
  const isOwn = session?.user?.id === image.owner.id;
  const copyLink = async () => {
    if (await copy(image.links.url)) setDone('copied');
  };
  const takeOut = () =>
    remove.mutate([image.key], {
      onSuccess: () => notifications.show({ color: 'petrol.7', title: t('members.removed'), message: image.name, autoClose: 3000 }),
      onError: (error) => notifyError(error),
      onSettled: onRemoved,
    });
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
      {(isOwn || mayManage(album)) && (
        <ViewerButton label={t('library.removeFromAlbum')} disabled={remove.isPending} onClick={takeOut}>
          <IconAlbumOff {...icon} />
        </ViewerButton>
      )}
      <ViewerButton label={done === 'copied' ? t('links.copied') : t('publicAlbum.copyLink')} onClick={copyLink}>
        <Copy {...icon} />
      </ViewerButton>
      <ViewerLink label={t('publicAlbum.download')} href={downloadHref(image)} download={image.name}>
        <IconDownload {...icon} />
      </ViewerLink>
      <ViewerLink label={t('publicAlbum.sharePage')} href={shareHref(image.key)} target="_blank">
        <IconExternalLink {...icon} />
      </ViewerLink>
    </>
  );
}
