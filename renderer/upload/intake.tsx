import { notifications } from '@mantine/notifications';
import { IconPhotoUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlbumName } from '#renderer/albums/albums.ts';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useAppQueue } from './app-uploads.ts';
import classes from './intake.module.css';
import { useUploadLimits } from './limits.ts';
import { useUploadQueue } from './provider.tsx';
import { bringsFiles, droppedFiles, type NamedFile, pastedFiles } from './sources.ts';
import { TargetContext } from './target.ts';

const ChooseContext = createContext<() => void>(() => undefined);

/** Returns a function that opens the file dialog; the chosen files go into the queue. */
export const useChooseFiles = () => use(ChooseContext);

/** Uploads files that are chosen, dropped anywhere on the page, or pasted. */
export function UploadIntake({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const queue = useUploadQueue();
  const input = useRef<HTMLInputElement>(null);
  const [albumId, setAlbumId] = useState<string>();
  const user = useUploader();
  const toApp = useAppQueue(user);
  const notifyError = useNotifyError();
  const take = useCallback(
    (files: readonly NamedFile[]) => {
      if (files.length && toApp) toApp(files, albumId).catch((error: unknown) => notifyError(error));
      else if (files.length) queue.add(files, { user, fields: albumId ? { album_id: albumId } : {} });
      else notifications.show({ id: 'nothing', color: 'gray.7', title: t('upload.nothing'), message: t('upload.nothingHint') });
    },
    [queue, user, albumId, toApp, notifyError, t],
  );
  usePaste(take);
  const dragging = useDrop(take);
  return (
    <ChooseContext value={useCallback(() => input.current?.click(), [])}>
      <TargetContext value={setAlbumId}>{children}</TargetContext>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/*,.heic,.heif,.avif"
        aria-label={t('upload.choose')}
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])].map((file) => ({ file, name: file.name })));
          // Lets the same file be chosen again.
          event.currentTarget.value = '';
        }}
      />
      {dragging && <DropOverlay albumId={albumId} />}
    </ChooseContext>
  );
}

/** The id of the signed-in user, kept after their session has ended while the page is still open. */
function useUploader(): number | undefined {
  const { data: session } = useQuery(sessionQuery);
  const known = useRef<number>(undefined);
  if (session?.user) known.current = session.user.id;
  return known.current;
}

function DropOverlay({ albumId }: { albumId: string | undefined }) {
  const { t } = useTranslation();
  const album = useAlbumName(albumId);
  const format = useFormat();
  const limits = useUploadLimits();
  const exts = limits?.allowed_exts.map((ext) => ext.toUpperCase()).join(', ') ?? '';
  const size = limits?.max_file_bytes;
  return (
    <div className={classes.overlay} data-testid="drop-overlay">
      <div className={classes.frame}>
        <IconPhotoUp size={56} stroke={1.4} aria-hidden />
        <p className={classes.title}>{album ? t('upload.dropInto', { album }) : t('upload.dropHere')}</p>
        <p className={classes.hint}>
          {size ? t('upload.dropHint', { exts, size: format.bytes(size) }) : t('upload.dropHintNoLimit', { exts })}
        </p>
      </div>
    </div>
  );
}

function usePaste(take: (files: readonly NamedFile[]) => void) {
  const { t } = useTranslation();
  const format = useFormat();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (!event.clipboardData?.files.length) return;
      event.preventDefault();
      take(pastedFiles(event.clipboardData, () => t('upload.pastedName', { date: format.moment(new Date()).replaceAll(':', '.') })));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [take, t, format]);
}

function useDrop(take: (files: readonly NamedFile[]) => void): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    // Entering a child fires before leaving its parent, hence the counter.
    let depth = 0;
    const set = (next: number) => {
      depth = Math.max(0, next);
      setDragging(depth > 0);
    };
    const onEnter = (event: DragEvent) => {
      if (bringsFiles(event.dataTransfer)) set(depth + 1);
    };
    const onLeave = (event: DragEvent) => {
      if (bringsFiles(event.dataTransfer)) set(depth - 1);
    };
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    };
    const onDrop = (event: DragEvent) => {
      set(0);
      if (!bringsFiles(event.dataTransfer)) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then(take);
    };
    const handlers = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop } as const;
    for (const [name, handler] of Object.entries(handlers)) document.addEventListener(name, handler as EventListener);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) document.removeEventListener(name, handler as EventListener);
    };
  }, [take]);
  return dragging;
}
