import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import type { OpenShare } from '#api/sharing/shares.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref, originalSrc } from '#renderer/images/address.ts';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { ViewerDialog } from '#renderer/images/viewer/viewer-dialog.tsx';
import { ViewerLink } from '#renderer/images/viewer/viewer-link.tsx';

interface Props {
  share: OpenShare;
  /** A blob address of the view-limited image's bytes: no request may spend another view. */
  fetched: string | undefined;
  onClose: () => void;
}

const icon = { size: 20, stroke: 1.8 };
const stay = () => undefined;

/** A shared image as large as the window, with zoom. Loaded when a viewer first asks for it. */
export function ShareViewer({ share, fetched, onClose }: Props) {
  const { t } = useTranslation();
  const actions = share.views_left === null && (
    <>
      <ViewerLink label={t('share.download')} href={downloadHref(share)} download={share.name}>
        <IconDownload {...icon} />
      </ViewerLink>
      <ViewerLink label={t('share.original')} href={originalSrc(share)} target="_blank">
        <IconExternalLink {...icon} />
      </ViewerLink>
    </>
  );
  return (
    <ViewerDialog name={share.title || share.name} actions={actions} onClose={onClose}>
      <Stage images={[{ ...share, fetched }]} index={0} total={1} onShow={stay} />
    </ViewerDialog>
  );
}
