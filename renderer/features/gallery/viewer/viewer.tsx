import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#api/client.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import type { Image } from '#api/images.ts';
import { EmptyState } from '#renderer/components/notice.tsx';
import { Stage } from '#renderer/images/stage.tsx';
import type { ImageView } from '#renderer/images/view.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { Details } from './details.tsx';
import { useShownImage } from './use-shown-image.ts';
import classes from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

interface Props {
  /** What Previous and Next go through. */
  images: readonly Image[];
  /** What they are a list of, and whether there are more than are loaded. */
  view: ImageView;
  more: boolean;
  /** Key of the picture that is shown. */
  shown: string;
  onShow: (key: string) => void;
  onClose: (last: string) => void;
  onRemove: (images: readonly Image[], after: () => void) => void;
  onNearEnd: () => void;
}

/** One picture as large as the window, with everything that is known about it and every link. */
export function Viewer({ images, view, more, shown, onShow, onClose, onRemove, onNearEnd }: Props) {
  const { t } = useTranslation();
  const wide = useMediaQuery('(min-width: 60em)', undefined, { getInitialValueInEffect: false });
  const [details, setDetails] = useState(wide);
  const { image, index, slides, total, error } = useShownImage({ images, view, more, shown, onNearEnd });
  const close = () => onClose(shown);
  const remove = (doomed: Image) =>
    onRemove([doomed], () => {
      const next = slides[index + 1] ?? slides[index - 1];
      if (next) onShow(next.key);
      else close();
    });
  return (
    <Modal.Root opened onClose={close} fullScreen transitionProps={{ transition: 'fade', duration: 120 }} trapFocus returnFocus={false}>
      <Modal.Overlay backgroundOpacity={1} blur={0} color="#0b1113" />
      <Modal.Content className={classes.content} radius={0} aria-label={image?.name ?? t('viewer.label')}>
        <div className={classes.viewer} data-details={(details && !!image) || undefined}>
          <ViewerBar image={image} details={details} onDetails={() => setDetails(!details)} onRemove={remove} onClose={close} />
          {image ? <Stage images={slides} index={index} total={total} onShow={onShow} /> : <Missing error={error} />}
          {details && image && <Details image={image} />}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** There is nothing to show: what was deleted is in the trash, where only its owner looks. */
function Missing({ error }: { error: Error | null }) {
  const { t } = useTranslation();
  const explain = useExplain();
  if (!error) return <div className={classes.stage} />;
  const gone = error instanceof ApiError && error.code === 'not_found';
  const { what, next } = explain(error);
  return (
    <div className={classes.missing}>
      <EmptyState art={null} title={gone ? t('viewer.gone') : what} text={gone ? t('viewer.goneHint', { count: TRASH_DAYS }) : next}>
        {gone && (
          <Button component={Link} to="/trash" variant="white" mt="md">
            {t('viewer.lookInTrash')}
          </Button>
        )}
      </EmptyState>
    </div>
  );
}
