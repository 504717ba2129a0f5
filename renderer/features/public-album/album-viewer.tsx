import { ActionIcon, Modal } from '@mantine/core';
import { IconArrowLeft, IconCheck, IconDownload, IconExternalLink, IconLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicAlbumImage } from '#api/albums.ts';
import { useCopying } from '#renderer/components/copying.tsx';
import { originalSrc } from '#renderer/images/address.ts';
import { Stage } from '#renderer/images/stage.tsx';
import classes from './album.module.css';

interface Props {
  /** What Previous and Next go through. */
  images: readonly PublicAlbumImage[];
  /** How many the album has. */
  total: number;
  /** Key of the picture that is shown. */
  shown: string;
  onShow: (key: string) => void;
  onClose: () => void;
  onNearEnd: () => void;
}

/** Pictures before the end of what is loaded at which more is asked for. */
const NEAR_END = 10;

/** One picture of the album as large as the window. */
export function AlbumViewer({ images, total, shown, onShow, onClose, onNearEnd }: Props) {
  const index = Math.max(
    0,
    images.findIndex(({ key }) => key === shown),
  );
  const image = images[index];
  useEffect(() => {
    if (index >= images.length - NEAR_END) onNearEnd();
  }, [index, images.length, onNearEnd]);
  return (
    <Modal.Root opened onClose={onClose} fullScreen transitionProps={{ transition: 'fade', duration: 120 }} trapFocus returnFocus={false}>
      <Modal.Overlay backgroundOpacity={1} blur={0} color="#0b1113" />
      <Modal.Content className={classes.content} radius={0} aria-label={image?.name}>
        <div className={classes.viewer}>
          {image && <Bar image={image} onClose={onClose} />}
          <Stage images={images} index={index} total={total} onShow={onShow} />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function Bar({ image, onClose }: { image: PublicAlbumImage; onClose: () => void }) {
  const { t } = useTranslation();
  const { copy } = useCopying();
  const [copied, setCopied] = useState<string>();
  const look = { variant: 'transparent', color: 'white', size: 'xl', className: classes.action } as const;
  const named = (label: string) => ({ 'aria-label': label, title: label });
  const Copy = copied === image.key ? IconCheck : IconLink;
  const copyLink = async () => {
    if (await copy(image.url)) setCopied(image.key);
  };
  return (
    <div className={classes.bar}>
      <ActionIcon {...look} {...named(t('common.close'))} onClick={onClose} data-autofocus>
        <IconArrowLeft size={22} />
      </ActionIcon>
      <h2 className={classes.name} title={image.name}>
        {image.name}
      </h2>
      <ActionIcon {...look} {...named(copied === image.key ? t('links.copied') : t('publicAlbum.copyLink'))} onClick={copyLink}>
        <Copy size={20} stroke={1.8} />
      </ActionIcon>
      <ActionIcon
        {...look}
        {...named(t('publicAlbum.download'))}
        component="a"
        href={`${originalSrc(image)}?download=1`}
        download={image.name}
      >
        <IconDownload size={20} stroke={1.8} />
      </ActionIcon>
      <ActionIcon {...look} {...named(t('publicAlbum.sharePage'))} component="a" href={`/s/${image.key}`} target="_blank">
        <IconExternalLink size={20} stroke={1.8} />
      </ActionIcon>
    </div>
  );
}
