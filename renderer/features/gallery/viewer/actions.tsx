import { ActionIcon, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload, IconInfoCircle, IconLink, IconPencil, IconShare2, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Image } from '#api/images/images.ts';
import { useShareSheet } from '#renderer/components/links/link-tools.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref } from '#renderer/images/address.ts';
import { useAnnounceCopied, useCopyLinks } from '#renderer/images/sharing/copy-links.tsx';
import { actionProps } from '#renderer/images/viewer/viewer-frame.tsx';
import { MENU_ICON, MoreMenu } from './more-menu.tsx';
import { useChange } from './use-change.ts';
import { useViewerKey } from './use-viewer-key.ts';

interface Props {
  image: Image;
  onEdit: () => void;
  onRemove: (image: Image) => void;
}

interface BarProps extends Props {
  details: boolean;
  onDetails: () => void;
  /** Further items of the menu. */
  more?: ReactNode;
}

const icon = { size: 20, stroke: 1.8 };

/** The viewer's buttons for the image it shows: all in its bar, or on a phone the most frequent ones at its foot, within reach of a thumb. */
export function useActions(image: Image | undefined, rest: Omit<BarProps, 'image'>): { top: ReactNode; foot: ReactNode } {
  const phone = useMediaQuery('(max-width: 30em)', undefined, { getInitialValueInEffect: false });
  if (!image) return { top: undefined, foot: undefined };
  const all = { image, ...rest };
  return phone ? { top: <TopActions {...all} />, foot: <FootActions {...all} /> } : { top: <Actions {...all} />, foot: undefined };
}

function Actions({ image, onEdit, onRemove, more, ...rest }: BarProps) {
  const { t } = useTranslation();
  const { star: Star, toggle } = useFavourite(image);
  return (
    <>
      <ActionIcon {...actionProps(t('library.favourite'))} aria-pressed={image.favourite} onClick={toggle}>
        <Star {...icon} />
      </ActionIcon>
      <CopyButton image={image} />
      <ActionIcon {...actionProps(t('viewer.download'))} component="a" href={downloadHref(image)} download={image.name}>
        <IconDownload {...icon} />
      </ActionIcon>
      <ChangeButtons image={image} onEdit={onEdit} onRemove={onRemove} />
      <DetailsButton {...rest} />
      <MoreMenu image={image}>{more}</MoreMenu>
    </>
  );
}

function TopActions({ image, more, ...rest }: BarProps) {
  const { t } = useTranslation();
  const { star: Star, toggle } = useFavourite(image);
  return (
    <>
      <DetailsButton {...rest} />
      <MoreMenu image={image}>
        <Menu.Item {...ownEscape} leftSection={<Star {...MENU_ICON} />} onClick={toggle}>
          {t(image.favourite ? 'selection.unfavour' : 'library.favourite')}
        </Menu.Item>
        <Menu.Item
          {...ownEscape}
          leftSection={<IconDownload {...MENU_ICON} />}
          component="a"
          href={downloadHref(image)}
          download={image.name}
        >
          {t('viewer.download')}
        </Menu.Item>
        {more}
      </MoreMenu>
    </>
  );
}

function FootActions({ image, onEdit, onRemove }: Props) {
  const { t } = useTranslation();
  const share = useShareSheet();
  const announce = useAnnounceCopied();
  const { name, title, visibility, links } = image;
  const pass = async () => {
    await share?.({ title: title || name, url: links.share_url });
    if (visibility === 'private') announce([image], t('links.shared'));
  };
  return (
    <>
      {share && (
        <ActionIcon {...actionProps(t('links.share'))} onClick={() => void pass()}>
          <IconShare2 {...icon} />
        </ActionIcon>
      )}
      <CopyButton image={image} />
      <ChangeButtons image={image} onEdit={onEdit} onRemove={onRemove} />
    </>
  );
}

function CopyButton({ image }: { image: Image }) {
  const { t } = useTranslation();
  const copyLinks = useCopyLinks();
  useViewerKey('copy', () => void copyLinks([image]));
  return (
    <ActionIcon {...actionProps(t('gallery.copyLinks'))} aria-keyshortcuts="Control+C" onClick={() => copyLinks([image])}>
      <IconLink {...icon} />
    </ActionIcon>
  );
}

function ChangeButtons({ image, onEdit, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {image.kind === 'picture' && (
        <ActionIcon {...actionProps(t('picture.edit'))} aria-keyshortcuts="E" onClick={onEdit}>
          <IconPencil {...icon} />
        </ActionIcon>
      )}
      <ActionIcon {...actionProps(t('common.delete'))} onClick={() => onRemove(image)}>
        <IconTrash {...icon} />
      </ActionIcon>
    </>
  );
}

function DetailsButton({ details, onDetails }: Pick<BarProps, 'details' | 'onDetails'>) {
  const { t } = useTranslation();
  return (
    <ActionIcon {...actionProps(t('viewer.details'))} aria-pressed={details} onClick={onDetails}>
      <IconInfoCircle {...icon} />
    </ActionIcon>
  );
}

function useFavourite(image: Image) {
  const change = useChange(image);
  return { star: image.favourite ? IconStarFilled : IconStar, toggle: () => change({ favourite: !image.favourite }) };
}
