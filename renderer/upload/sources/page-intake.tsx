import { IconPhotoOff } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Note } from '#renderer/plain/note.tsx';
import { load } from '#renderer/service/connection.ts';
import { chosenFiles, type Incoming, withoutVideos } from '#renderer/upload/incoming.ts';
import { acceptedBy, takesVideos } from '#renderer/upload/limits.ts';
import type { KnownLimits } from '#renderer/upload/queue/refusal.ts';
import type { NewUpload } from '#renderer/upload/queue/types.ts';
import { useDrop } from './use-drop.ts';
import { useFilePaste } from './use-file-paste.ts';

const DropOverlayFrame = lazy(() => load(() => import('./drop-overlay.tsx')).then((module) => ({ default: module.DropOverlayFrame })));

/** Milliseconds. */
const NOTHING_FOR = 6000;

interface Props {
  limits: KnownLimits;
  /** Must stay the same from render to render. */
  onFiles: (files: readonly NewUpload[]) => void;
  /** @param choose opens the file dialog */
  children: (choose: () => void) => ReactNode;
}

/** Takes files that are chosen, pasted, or dropped anywhere on a light page. */
export function PageIntake({ limits, onFiles, children }: Props) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const [nothing, setNothing] = useState(false);
  const latest = useRef(limits);
  latest.current = limits;
  const take = useCallback(
    (given: Incoming) => {
      const { files } = takesVideos(latest.current) ? given : withoutVideos(given);
      setNothing(files.length === 0);
      if (files.length > 0) onFiles(files.map(({ file, name }) => ({ source: file, name })));
    },
    [onFiles],
  );
  useFilePaste(take);
  const { dragging } = useDrop(take);
  return (
    <>
      {children(() => picker.current?.click())}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={acceptedBy(limits)}
        aria-label={t('upload.choose')}
        onChange={({ currentTarget }) => {
          take(chosenFiles(currentTarget.files));
          // Lets the same file be chosen again.
          currentTarget.value = '';
        }}
      />
      {dragging && (
        <Suspense>
          <DropOverlayFrame title={t('upload.dropHere')} limits={limits} />
        </Suspense>
      )}
      {nothing && (
        <Note icon={<IconPhotoOff size={20} aria-hidden />} duration={NOTHING_FOR} onClose={() => setNothing(false)}>
          <strong>{t('upload.nothing')}</strong> {t('upload.nothingHint')}
        </Note>
      )}
    </>
  );
}
