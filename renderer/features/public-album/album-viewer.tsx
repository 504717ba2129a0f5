import { IconCheck, IconDownload, IconExternalLink, IconLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { PublicAlbumImage } from '#api/albums/albums.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref } from '#renderer/images/address.ts';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { ViewerButton, ViewerDialog } from '#renderer/images/viewer/viewer-dialog.tsx';
import { ViewerLink } from '#renderer/images/viewer/viewer-link.tsx';

interface Props {
  /** The images that Previous and Next go through. */
  images: readonly PublicAlbumImage[];
  /** How many the album has. */
  total: number;
  /** Key of the image to show. */
  shown: string;
  onShow: (key: string) => void;
  onClose: () => void;
  onNearEnd: () => void;
  /** Begins with a running slideshow. */
  plays: boolean;
}

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 10;

/** One image of the album, as large as the window. */
export function AlbumViewer({ images, total, shown, onShow, onClose, onNearEnd, plays }: Props) {
  const index = Math.max(
    0,
    images.findIndex(({ key }) => key === shown),
  );
  const image = images[index];
  useEffect(() => {
    if (index >= images.length - NEAR_END) onNearEnd();
  }, [index, images.length, onNearEnd]);
  return (
    <ViewerDialog name={image?.name} actions={image && <Actions image={image} />} onClose={onClose}>
      <Stage counts images={images} index={index} total={total} onShow={onShow} onClose={onClose} plays={plays} />
    </ViewerDialog>
  );
}

const icon = { size: 20, stroke: 1.8 };

function Actions({ image }: { image: PublicAlbumImage }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === image.key;
  const Copy = isCopied ? IconCheck : IconLink;
  const copyLink = async () => {
    if (await copy(image.url)) setCopied(image.key);
  };
  return (
    <>
      <ViewerButton label={isCopied ? t('links.copied') : t('publicAlbum.copyLink')} onClick={copyLink}>
        <Copy {...icon} />
      </ViewerButton>
      <ViewerLink label={t('publicAlbum.download')} href={downloadHref(image)} download={image.name}>
        <IconDownload {...icon} />
      </ViewerLink>
      <ViewerLink label={t('publicAlbum.sharePage')} href={`/s/${image.key}`} target="_blank">
        <IconExternalLink {...icon} />
      </ViewerLink>
    </>
  );
}
