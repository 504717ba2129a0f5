import { IconAdjustments } from '@tabler/icons-react';
import type { FormFields } from '#api/images/upload.ts';
import { useAlbumName } from '#renderer/albums/albums.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useUploadLimits } from '#renderer/upload/limits.ts';
import { useOptionsLine } from '#renderer/upload/options/use-options-line.ts';
import classes from './drop-overlay.module.css';
import { DropOverlayFrame } from './drop-overlay.tsx';
import type { Drop } from './use-drop.ts';

interface Props {
  albumId: string | undefined;
  /** The options that the files will have. */
  fields: FormFields;
  drop: Drop;
  /** Whether files can be dropped where they wait for their options. */
  withOptions: boolean;
}

/** Covers a page of the application while files are dragged over it, with a place for those whose options are to be chosen first. */
export function DropOverlay({ albumId, fields, drop, withOptions }: Props) {
  const { t } = useTranslation();
  const album = useAlbumName(albumId);
  const limits = useUploadLimits();
  const options = useOptionsLine({ ...fields, album_id: albumId ? undefined : fields.album_id });
  return (
    <DropOverlayFrame
      title={album ? t('upload.dropInto', { album }) : t('upload.dropHere')}
      options={options}
      limits={limits}
      active={!drop.asks}
    >
      {withOptions && (
        <div ref={drop.optionsZone} className={classes.zone} data-active={drop.asks || undefined}>
          <IconAdjustments size={24} stroke={1.6} aria-hidden />
          {t('batch.dropOptions')}
        </div>
      )}
    </DropOverlayFrame>
  );
}
