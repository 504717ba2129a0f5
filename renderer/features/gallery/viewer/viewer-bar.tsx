import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconDownload, IconInfoCircle, IconLink, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useCopying } from '#renderer/components/copying.tsx';
import { originalSrc } from '#renderer/images/address.ts';
import { useChange } from './use-change.ts';
import classes from './viewer.module.css';

interface Props {
  image: Image | undefined;
  details: boolean;
  onDetails: () => void;
  onRemove: (image: Image) => void;
  onClose: () => void;
}

const look = { variant: 'transparent', color: 'white', size: 'xl', className: classes.action } as const;

/** What can be done with the picture that is shown. */
export function ViewerBar({ image, details, onDetails, onRemove, onClose }: Props) {
  const { t } = useTranslation();
  const { copyLinks } = useCopying();
  return (
    <header className={classes.bar}>
      <ActionIcon {...look} aria-label={t('common.close')} title={t('common.close')} onClick={onClose} data-autofocus>
        <IconArrowLeft size={22} />
      </ActionIcon>
      <h2 className={classes.name} title={image?.name}>
        {image?.name}
      </h2>
      {image && (
        <>
          <Favourite image={image} />
          <ActionIcon {...look} aria-label={t('gallery.copyLinks')} title={t('gallery.copyLinks')} onClick={() => copyLinks([image])}>
            <IconLink size={20} stroke={1.8} />
          </ActionIcon>
          <ActionIcon
            {...look}
            component="a"
            href={`${originalSrc(image)}?download=1`}
            download={image.name}
            aria-label={t('viewer.download')}
            title={t('viewer.download')}
          >
            <IconDownload size={20} stroke={1.8} />
          </ActionIcon>
          <ActionIcon {...look} aria-label={t('common.delete')} title={t('common.delete')} onClick={() => onRemove(image)}>
            <IconTrash size={20} stroke={1.8} />
          </ActionIcon>
          <ActionIcon {...look} aria-label={t('viewer.details')} title={t('viewer.details')} aria-pressed={details} onClick={onDetails}>
            <IconInfoCircle size={20} stroke={1.8} />
          </ActionIcon>
        </>
      )}
    </header>
  );
}

function Favourite({ image }: { image: Image }) {
  const { t } = useTranslation();
  const change = useChange(image);
  const Icon = image.favourite ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      {...look}
      aria-label={t('library.favourite')}
      title={t('library.favourite')}
      aria-pressed={image.favourite}
      onClick={() => change({ favourite: !image.favourite })}
    >
      <Icon size={20} stroke={1.8} />
    </ActionIcon>
  );
}
