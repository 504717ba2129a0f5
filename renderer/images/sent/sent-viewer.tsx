import { IconCheck, IconLink } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SentImage } from '#api/sent.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { usePictureText } from '#renderer/images/text/picture-text.ts';
import { ImageLinks } from '#renderer/images/viewer/image-links.tsx';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { ViewerButton } from '#renderer/images/viewer/viewer-dialog.tsx';
import { ViewerBar, ViewerFrame } from '#renderer/images/viewer/viewer-frame.tsx';

interface Props {
  /** The images that Previous and Next go through. */
  images: readonly SentImage[];
  /** Key of the image to show. */
  shown: string;
  /** Whether they are the user's own: looking at them is no view then. */
  isOwn: boolean;
  /** More actions for a picture. */
  more?: (image: SentImage) => ReactNode;
  onShow: (key: string) => void;
  onClose: () => void;
}

/** One picture that was sent, as large as the window. */
export function SentViewer({ images, shown, isOwn, more, onShow, onClose }: Props) {
  const index = Math.max(
    0,
    images.findIndex(({ key }) => key === shown),
  );
  const image = images[index];
  const name = image?.title || image?.name;
  usePageTitle(name, 'picture');
  const text = usePictureText(image, undefined);
  return (
    <ViewerFrame label={name} onClose={onClose}>
      <ViewerBar name={name} onClose={onClose}>
        {image && more?.(image)}
        {image && <Actions key={image.key} image={image} />}
      </ViewerBar>
      <Stage counts={!isOwn} images={images} index={index} total={images.length} onShow={onShow} onClose={onClose} text={text} />
    </ViewerFrame>
  );
}

const icon = { size: 20, stroke: 1.8 };

function Actions({ image }: { image: SentImage }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  const Copy = copied ? IconCheck : IconLink;
  const copyLink = async () => {
    if (await copy(image.max_views > 0 ? image.links.share_url : image.links.url)) setCopied(true);
  };
  return (
    <>
      <ViewerButton label={copied ? t('links.copied') : t('publicAlbum.copyLink')} onClick={copyLink}>
        <Copy {...icon} />
      </ViewerButton>
      <ImageLinks image={image} />
    </>
  );
}
