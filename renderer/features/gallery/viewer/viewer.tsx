import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ApiError } from '#api/client.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { dayOf } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { imageQueryKey } from '#renderer/images/list/list.ts';
import { type ImageView, passes, timeOf } from '#renderer/images/list/view.ts';
import { usePictureText } from '#renderer/images/text/picture-text.ts';
import { Stage } from '#renderer/images/viewer/stage.tsx';
import { ViewerBar, ViewerFrame } from '#renderer/images/viewer/viewer-frame.tsx';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useActions } from './actions.tsx';
import { Details } from './details.tsx';
import { useViewerKey } from './use-viewer-key.ts';
import classes from './viewer.module.css';

const Editor = lazy(() => load(() => import('#renderer/editor/editor.tsx')).then((module) => ({ default: module.Editor })));

interface Props {
  /** The images that Previous and Next go through: a part of the list of `view`, which has `count`. `start` is the index of the first. */
  images: readonly Image[];
  start: number;
  count: number;
  view: ImageView;
  /** Key of the image to show. */
  shown: string;
  /** Whether the image is being edited. */
  editing: boolean;
  onEdit: () => void;
  /** Called when editing is over, with the key of the image to show then; undefined: the same. */
  onEdited: (key?: string) => void;
  onShow: (key: string) => void;
  onClose: () => void;
  onRemove: (images: readonly Image[], after: () => void) => void;
  /** Loads the neighbours of `images` or, where there are none, the part of the list with this day. */
  onLoadAround: (day: string | undefined) => void;
}

/** One image as large as the window, with its details and links, or in the editor. */
export function Viewer(props: Props) {
  const { images, count, view, shown, editing, onEdited, onLoadAround } = props;
  const wide = useMediaQuery('(min-width: 60em)', undefined, { getInitialValueInEffect: false });
  const [details, setDetails] = useState(wide);
  const found = useShownImage({ images, count, view, shown, onLoadAround });
  if (editing && found.image?.kind === 'picture')
    return (
      <Suspense>
        <Editor key={shown} image={found.image} onClose={() => onEdited()} onSaved={({ key }) => onEdited(key)} />
      </Suspense>
    );
  return <Shown {...props} found={found} details={details} onDetails={() => setDetails(!details)} />;
}

interface ShownProps extends Props {
  found: ReturnType<typeof useShownImage>;
  details: boolean;
  onDetails: () => void;
}

function Shown({ found, start, view, details, onDetails, onEdit, onShow, onClose, onRemove }: ShownProps) {
  const { t } = useTranslation();
  const { image, index, slides, total, error, isGone } = found;
  const text = usePictureText(image, view.q);
  usePageTitle(image?.title || image?.name, 'picture');
  const remove = (removed: Image) =>
    onRemove([removed], () => {
      const next = slides[index + 1] ?? slides[index - 1];
      if (next) onShow(next.key);
      else onClose();
    });
  const { top, foot } = useActions(image, { details, onDetails, onEdit, onRemove: remove });
  useViewerKey('Delete', () => image && remove(image));
  useViewerKey('e', () => image?.kind === 'picture' && onEdit());
  return (
    <ViewerFrame
      label={(image?.title || image?.name) ?? t('viewer.label')}
      onClose={onClose}
      details={details && image && <Details image={image} />}
      foot={foot}
    >
      <ViewerBar name={image?.title || image?.name} onClose={onClose}>
        {top}
      </ViewerBar>
      {image ? (
        <Stage images={slides} index={index} start={start} total={total} onShow={onShow} onClose={onClose} text={text} />
      ) : (
        <Missing error={error} isGone={isGone} />
      )}
    </ViewerFrame>
  );
}

/** Shown instead of an image that isn't there: a deleted one may be in the trash. */
function Missing({ error, isGone }: { error: Error | null; isGone: boolean }) {
  const { t } = useTranslation();
  const explain = useExplain();
  if (!error && !isGone) return null;
  const gone = isGone || (error instanceof ApiError && error.code === 'not_found');
  const { what, next } = explain(error);
  return (
    <div className={classes.missing}>
      <EmptyState
        order={3}
        art={null}
        title={gone ? t('viewer.gone') : what}
        text={gone ? t('viewer.goneHint', { count: TRASH_DAYS }) : next}
      >
        {gone && (
          <Button component={Link} to="/trash" variant="white" mt="md">
            {t('viewer.lookInTrash')}
          </Button>
        )}
      </EmptyState>
    </div>
  );
}

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 20;

interface Wanted {
  /** A part of the list of `view`, which has `count` images. */
  images: readonly Image[];
  count: number;
  view: ImageView;
  /** Key of the image to show. */
  shown: string;
  /** Loads the neighbours of `images` or, where there are none, the part of the list with this day. */
  onLoadAround: (day: string | undefined) => void;
}

/** The image to show, its neighbours, and its position among them as far as it is known. */
function useShownImage({ images, count, view, shown, onLoadAround }: Wanted) {
  const index = images.findIndex(({ key }) => key === shown);
  // A link opens its image even before the list has loaded it.
  const single = useQuery({
    queryKey: imageQueryKey(shown),
    queryFn: ({ signal }) => client.call('GET /images/:key', { params: { key: shown }, signal }),
    enabled: index < 0,
  });
  // The service describes an expired image to its owner, but shows it only in the trash.
  const isGone = single.data !== undefined && (single.data.deleted_at !== null || isOver(single.data));
  const alone = index < 0 && !isGone ? single.data : undefined;
  const inside = index >= NEAR_END && index < images.length - NEAR_END;
  const day = alone && passes(alone, view) ? dayOf(timeOf(alone, view.sort)) : undefined;
  // Previous and Next need its neighbours.
  useEffect(() => {
    if (index < 0 ? day !== undefined : !inside) onLoadAround(day);
  }, [index, inside, day, onLoadAround]);
  return {
    image: images[index] ?? alone,
    index: Math.max(0, index),
    slides: index >= 0 ? images : alone ? [alone] : [],
    total: index < 0 || images.length === count ? undefined : count,
    error: single.error,
    isGone,
  } as const;
}

const isOver = ({ expires_at }: Image) => expires_at !== null && Date.parse(expires_at) <= Date.now();
