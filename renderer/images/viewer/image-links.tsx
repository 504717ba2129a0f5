import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref, shareHref } from '#renderer/images/address.ts';
import { ViewerLink } from './viewer-link.tsx';

const icon = { size: 20, stroke: 1.8 };

/** The viewer's links to an image's file and to its share page, for those who don't own it. */
export function ImageLinks({ image }: { image: Parameters<typeof downloadHref>[0] & { name: string } }) {
  const { t } = useTranslation();
  return (
    <>
      <ViewerLink label={t('publicAlbum.download')} href={downloadHref(image)} download={image.name}>
        <IconDownload {...icon} />
      </ViewerLink>
      <ViewerLink label={t('publicAlbum.sharePage')} href={shareHref(image.key)} target="_blank">
        <IconExternalLink {...icon} />
      </ViewerLink>
    </>
  );
}
