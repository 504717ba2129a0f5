import { ActionIcon } from '@mantine/core';
import { IconDownload, IconInfoCircle, IconLink, IconPencil, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Image } from '#api/images/images.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref } from '#renderer/images/sharing/address.ts';
import { useCopyLinks } from '#renderer/images/sharing/copy-links.tsx';
import { actionProps } from '#renderer/images/viewer/viewer-frame.tsx';
import { MoreMenu } from './more-menu.tsx';
import { useChange } from './use-change.ts';

interface Props {
  image: Image;
  details: boolean;
  onDetails: () => void;
  onEdit: () => void;
  onRemove: (image: Image) => void;
  /** Further items of the menu. */
  more?: ReactNode;
}

const icon = { size: 20, stroke: 1.8 };

/** The viewer's buttons for the image it shows. */
export function Actions({ image, details, onDetails, onEdit, onRemove, more }: Props) {
  const { t } = useTranslation();
  const copyLinks = useCopyLinks();
  const change = useChange(image);
  const Star = image.favourite ? IconStarFilled : IconStar;
  return (
    <>
      <ActionIcon
        {...actionProps(t('library.favourite'))}
        aria-pressed={image.favourite}
        onClick={() => change({ favourite: !image.favourite })}
      >
        <Star {...icon} />
      </ActionIcon>
      <ActionIcon {...actionProps(t('gallery.copyLinks'))} onClick={() => copyLinks([image])}>
        <IconLink {...icon} />
      </ActionIcon>
      <ActionIcon {...actionProps(t('viewer.download'))} component="a" href={downloadHref(image)} download={image.name}>
        <IconDownload {...icon} />
      </ActionIcon>
      <ActionIcon {...actionProps(t('picture.edit'))} aria-keyshortcuts="E" onClick={onEdit}>
        <IconPencil {...icon} />
      </ActionIcon>
      <ActionIcon {...actionProps(t('common.delete'))} onClick={() => onRemove(image)}>
        <IconTrash {...icon} />
      </ActionIcon>
      <ActionIcon {...actionProps(t('viewer.details'))} aria-pressed={details} onClick={onDetails}>
        <IconInfoCircle {...icon} />
      </ActionIcon>
      <MoreMenu image={image}>{more}</MoreMenu>
    </>
  );
}
