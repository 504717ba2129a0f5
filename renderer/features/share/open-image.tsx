import { IconEye } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type CSSProperties, lazy, type MouseEvent, Suspense, useEffect, useState } from 'react';
import { NetworkError, readEnvelope } from '#api/client.ts';
import { mayBeTransparent } from '#api/formats.ts';
import type { OpenShare } from '#api/sharing/shares.ts';
import { PublicCard } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { originalSrc, previewOf, thumbnailSrc } from '#renderer/images/address.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { isSlowConnection } from '#renderer/platform/pace.ts';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useIsMine } from './queries.ts';
import classes from './share.module.css';
import { SharePanel } from './share-panel.tsx';
import { ShareTrouble } from './share-trouble.tsx';

const SharedVideo = lazy(() => load(() => import('./shared-video.tsx')).then((module) => ({ default: module.SharedVideo })));
const ShareViewer = lazy(() => load(() => import('./share-viewer.tsx')).then((module) => ({ default: module.ShareViewer })));

interface Props {
  share: OpenShare;
  /** Called when the image fails to load, to find out why. */
  onLost: () => void;
}

/** A shared image that this viewer can see, with its links and actions beside it. */
export function OpenImage({ share, onLost }: Props) {
  const mine = useIsMine(share.key);
  const guarded = useGuarded(share);
  const [plays, setPlays] = useState(false);
  const isVideo = share.kind === 'video';
  const limited = share.views_left !== null;
  if (guarded.error) return <ShareTrouble error={guarded.error} onRetry={guarded.show} />;
  // The owner's views don't count, so they need no confirmation.
  const asks = limited && mine === false && !guarded.src && !plays;
  const ready = !limited || mine || guarded.src || plays;
  // As in the viewer, a small video is enlarged, and has room for its controls.
  const natural = isVideo ? Math.max(share.width * 2, 320) : share.width;
  const shape = { '--ratio': share.width / Math.max(1, share.height), '--natural': `${natural}px` } as CSSProperties;
  return (
    <div className={classes.page} style={shape}>
      <div className={classes.stage} data-asks={asks || undefined}>
        {asks && <Guard share={share} pending={guarded.isPending} onShow={isVideo ? () => setPlays(true) : guarded.show} />}
        {ready && !isVideo && <Image share={share} src={guarded.src} onLost={onLost} />}
        <Suspense>{ready && isVideo && <SharedVideo share={share} plays={plays} onLost={onLost} />}</Suspense>
      </div>
      <SharePanel
        share={share}
        mine={mine === true}
        saved={guarded.src}
        isSpent={guarded.src !== undefined || plays}
        order={asks ? 2 : 1}
      />
    </div>
  );
}

function Guard({ share, pending, onShow }: { share: OpenShare; pending: boolean; onShow: () => void }) {
  const { t } = useTranslation();
  const guard = share.kind === 'video' ? 'videoGuard' : 'guard';
  return (
    <PublicCard art={<IconEye size={40} stroke={1.4} />} title={t(`share.${guard}Title`)} text={t(`share.${guard}Text`)}>
      <Button size="md" className={classes.show} loading={pending} onClick={onShow}>
        {t(`share.${guard}Show`, { count: share.views_left ?? 0 })}
      </Button>
    </PublicCard>
  );
}

/** The width of what a slow connection shows until the image itself is there. */
const FIRST_WIDTH = 400;

/** @param src a blob address of bytes already fetched; without it, the image is loaded from the service */
function Image({ share, src, onLost }: { share: OpenShare; src: string | undefined; onLost: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const [broken, setBroken] = useState(false);
  const [zoomed, setZoomed] = useState(false);
  // A browser keeps showing one image until it has loaded the next.
  const [first, setFirst] = useState(() => share.views_left === null && isSlowConnection());
  const original = originalSrc(share);
  if (broken) {
    const { next } = explain(new Error());
    return <ErrorNotice explanation={{ what: t('share.brokenTitle'), next }} onRetry={() => setBroken(false)} />;
  }
  // View-limited images have no thumbnails.
  const preview = share.views_left === null ? previewOf(share) : undefined;
  const small = first && { src: thumbnailSrc(share, FIRST_WIDTH) };
  const whole = {
    src: src ?? preview?.src ?? original,
    srcSet: preview && `${preview.src} ${preview.width}w, ${original} ${share.width}w`,
    sizes: preview && '(min-width: 60em) calc(100vw - 22rem), 100vw',
  };
  const image = (
    <img
      {...(small || whole)}
      alt={share.alt || t('share.alt', { name: share.title || share.name })}
      className={classes.image}
      data-transparent={mayBeTransparent(share.ext) || undefined}
      onLoad={() => setFirst(false)}
      onError={() => {
        if (first) return setFirst(false);
        setBroken(true);
        onLost();
      }}
    />
  );
  const zoom = (event: MouseEvent) => {
    // Other clicks open the original as links do, in a new tab for example.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setZoomed(true);
  };
  return (
    <>
      {share.views_left === null ? (
        <a href={original} target="_blank" rel="noreferrer" title={t('share.zoom')} className={classes.zoom} onClick={zoom}>
          {image}
        </a>
      ) : (
        <button type="button" title={t('share.zoom')} className={classes.zoom} onClick={zoom}>
          {image}
        </button>
      )}
      {zoomed && (
        <Suspense>
          <ShareViewer share={share} fetched={src} onClose={() => setZoomed(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Fetches an image's bytes. For a view-limited image, each fetch spends a view. */
async function fetchImage(image: { key: string; ext: string }): Promise<Blob> {
  try {
    const response = await fetch(originalSrc(image), { headers: { accept: '*/*' } });
    // Throws: errors come in the envelope.
    if (!response.ok) await readEnvelope(response);
    return await response.blob();
  } catch (error) {
    if (error instanceof TypeError) throw new NetworkError('Could not reach the service.', { cause: error });
    throw error;
  }
}

/**
 * Fetches a view-limited image on request. The bytes are kept for both viewing and saving, so that one press costs one view.
 */
function useGuarded(image: { key: string; ext: string }) {
  const { mutate: show, data: blob, error, isPending } = useMutation({ mutationFn: () => fetchImage(image) });
  const [src, setSrc] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    setSrc(address);
    return () => URL.revokeObjectURL(address);
  }, [blob]);
  return { src, show: () => show(), error, isPending };
}
