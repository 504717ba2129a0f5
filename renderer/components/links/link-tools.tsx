import { IconQrcode, IconShare2 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { load } from '#renderer/service/connection.ts';
import classes from './link-tools.module.css';

const QrCode = lazy(() => load(() => import('./qr-code.tsx')).then((module) => ({ default: module.QrCode })));

interface Props {
  url: string;
  /** What the link leads to, for the system's share sheet. */
  title: string;
}

/** Returns a function that opens the system's share sheet with a link; undefined where there is none (computers, and insecure addresses). */
export function useShareSheet(): ((shared: Props) => Promise<void>) | undefined {
  const copy = useCopy();
  const share = async ({ title, url }: Props) => {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // Closing the sheet is no failure; where it can't open, the link can still be pasted.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(url);
    }
  };
  return 'share' in navigator ? share : undefined;
}

/** Passes a link on: as a QR code, and through the system's share sheet. */
export function LinkTools({ url, title }: Props) {
  const { t } = useTranslation();
  const share = useShareSheet();
  const [shown, setShown] = useState(false);
  return (
    <div className={classes.tools}>
      {share && (
        <Button variant="default" size="xs" icon={<IconShare2 size={16} />} onClick={() => void share({ url, title })}>
          {t('links.share')}
        </Button>
      )}
      <Button variant="default" size="xs" icon={<IconQrcode size={16} />} aria-expanded={shown} onClick={() => setShown(!shown)}>
        {t('links.qr')}
      </Button>
      {shown && (
        <div className={classes.code}>
          <Suspense>
            <QrCode text={url} label={t('links.qrOf', { url })} />
            <p>{url}</p>
          </Suspense>
        </div>
      )}
    </div>
  );
}
