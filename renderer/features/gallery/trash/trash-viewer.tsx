import { ActionIcon, Button } from '@mantine/core';
import { IconRestore, IconTrashX } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Image } from '#api/images/images.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useViewerKey } from '#renderer/features/gallery/viewer/use-viewer-key.ts';
import viewer from '#renderer/features/gallery/viewer/viewer.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { actionProps, ViewerBar, ViewerFrame } from '#renderer/images/viewer/viewer-frame.tsx';

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 20;

interface Props {
  /** The images that Previous and Next go through: a part of the trash, which has `count`. `start` is the index of the first. */
  images: readonly Image[];
  start: number;
  count: number;
  /** Key of the image to show. */
  shown: string;
  /** Whether the image can't be in a part of the trash that isn't loaded. */
  complete: boolean;
  onShow: (key: string) => void;
  onClose: () => void;
  onRestore: (image: Image, after: () => void) => void;
  onPurge: (image: Image, after: () => void) => void;
  /** Loads the neighbours of `images`, or looks for the image where there are none. */
  onLoadAround: () => void;
}

/** One image in the trash as large as the window. Only its owner gets this preview. */
export function TrashViewer({ images, start, count, shown, complete, onShow, onClose, onRestore, onPurge, onLoadAround }: Props) {
  const { t } = useTranslation();
  const index = images.findIndex(({ key }) => key === shown);
  const image = images[index];
  const inside = index >= NEAR_END && index < images.length - NEAR_END;
  useEffect(() => {
    if (!inside) onLoadAround();
  }, [inside, onLoadAround]);
  const leave = () => {
    const next = images[index + 1] ?? images[index - 1];
    if (next) onShow(next.key);
    else onClose();
  };
  const purge = () => image && onPurge(image, leave);
  useViewerKey('Delete', purge);
  usePageTitle(image?.name, 'picture');
  return (
    <ViewerFrame label={image?.name ?? t('viewer.label')} onClose={onClose}>
      <ViewerBar name={image?.name} onClose={onClose}>
        {image && (
          <>
            <ActionIcon {...actionProps(t('trash.restore'))} onClick={() => onRestore(image, leave)}>
              <IconRestore size={20} stroke={1.8} />
            </ActionIcon>
            <ActionIcon {...actionProps(t('trash.purge'))} onClick={purge}>
              <IconTrashX size={20} stroke={1.8} />
            </ActionIcon>
          </>
        )}
      </ViewerBar>
      {image && (
        <Stage
          images={images}
          index={index}
          start={start}
          total={images.length === count ? undefined : count}
          onShow={onShow}
          onClose={onClose}
        />
      )}
      {!image && complete && (
        <div className={viewer.missing}>
          <EmptyState art={null} title={t('viewer.gone')} text={t('trash.notHere')}>
            <Button variant="white" mt="md" onClick={onClose}>
              {t('trash.back')}
            </Button>
          </EmptyState>
        </div>
      )}
    </ViewerFrame>
  );
}
