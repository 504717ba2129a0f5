import { useState } from 'react';
import type { OpenShare } from '#api/sharing/shares.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { originalSrc, PREVIEW_WIDTH, thumbnailSrc } from '#renderer/images/address.ts';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import classes from './share.module.css';

interface Props {
  share: OpenShare;
  /** Whether the visitor has asked for it. */
  plays: boolean;
  /** Called when the video fails to load, to find out why. */
  onLost: () => void;
}

/** A shared video, with the browser's own controls. A view-limited one has no poster, and is loaded only once the visitor asks for it. */
export function SharedVideo({ share, plays, onLost }: Props) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState(false);
  const limited = share.views_left !== null;
  const fail = () => {
    setBroken(true);
    onLost();
  };
  if (broken) {
    const explanation = { what: t('viewer.unplayable'), next: t(limited ? 'viewer.otherBrowser' : 'viewer.playElsewhere') };
    return <ErrorNotice explanation={explanation} onRetry={() => setBroken(false)} />;
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
    <video
      src={originalSrc(share)}
      poster={limited ? undefined : thumbnailSrc(share, PREVIEW_WIDTH)}
      className={classes.image}
      aria-label={share.alt || share.title || share.name}
      controls
      // The download would spend another view.
      controlsList={limited ? 'nodownload' : undefined}
      playsInline
      preload="metadata"
      autoPlay={plays}
      onLoadedMetadata={({ currentTarget }) => {
        // A browser may know the sound of a file, but not its pictures.
        if (currentTarget.videoWidth === 0) fail();
      }}
      onError={fail}
    />
  );
}
