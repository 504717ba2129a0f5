import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getImage, type Image } from '#api/images.ts';
import { EmptyState } from '../../../components/notice.tsx';
import { oneKey } from '../../../images/list.ts';
import { Stage } from '../../../images/stage.tsx';
import { client } from '../../../service/client.ts';
import { useExplain } from '../../../service/explain.ts';
import { Details } from './details.tsx';
import classes from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

interface Props {
  /** What Previous and Next go through. */
  images: readonly Image[];
  /** Key of the picture that is shown. */
  shown: string;
  onShow: (key: string) => void;
  onClose: (last: string) => void;
  onRemove: (images: readonly Image[], after: () => void) => void;
  onNearEnd: () => void;
}

/** Pictures before the end of what is loaded at which more is asked for. */
const NEAR_END = 20;

/** One picture as large as the window, with everything that is known about it and every link. */
export function Viewer({ images, shown, onShow, onClose, onRemove, onNearEnd }: Props) {
  const { t } = useTranslation();
  const wide = useMediaQuery('(min-width: 60em)', undefined, { getInitialValueInEffect: false });
  const [details, setDetails] = useState(wide);
  const index = images.findIndex(({ key }) => key === shown);
  // A link to a picture that the timeline has not loaded yet still opens it.
  const single = useQuery({
    queryKey: oneKey(shown),
    queryFn: ({ signal }) => client.call(getImage, { params: { key: shown }, signal }),
    enabled: index < 0,
  });
  const image = images[index] ?? single.data;
  const slides = index < 0 ? (image ? [image] : []) : images;
  useEffect(() => {
    if (index >= images.length - NEAR_END) onNearEnd();
  }, [index, images.length, onNearEnd]);
  const close = () => onClose(shown);
  const remove = (doomed: Image) =>
    onRemove([doomed], () => {
      const next = images[index + 1] ?? images[index - 1];
      if (next) onShow(next.key);
      else close();
    });
  return (
    <Modal.Root opened onClose={close} fullScreen transitionProps={{ transition: 'fade', duration: 120 }} trapFocus returnFocus={false}>
      <Modal.Overlay backgroundOpacity={1} blur={0} color="#0b1113" />
      <Modal.Content className={classes.content} radius={0} aria-label={image?.name ?? t('viewer.label')}>
        <div className={classes.viewer} data-details={(details && !!image) || undefined}>
          <ViewerBar image={image} details={details} onDetails={() => setDetails(!details)} onRemove={remove} onClose={close} />
          {image ? <Stage images={slides} index={Math.max(0, index)} onShow={onShow} /> : <Missing error={single.error} />}
          {details && image && <Details image={image} />}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function Missing({ error }: { error: Error | null }) {
  const { t } = useTranslation();
  const explain = useExplain();
  if (!error) return <div className={classes.stage} />;
  const gone = explain(error);
  return (
    <div className={classes.stage}>
      <EmptyState art={null} title={t('viewer.gone')} text={`${gone.what} ${t('viewer.goneHint')}`} />
    </div>
  );
}
