import { IconCheck, IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Uploaded } from '#api/images/upload.ts';
import { linksOf } from '#api/sharing/link-formats.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { Note } from '#renderer/plain/note.tsx';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { untilReachable } from '#renderer/service/connection.ts';
import { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { type KnownLimits, refuse } from '#renderer/upload/queue/refusal.ts';
import { summarise } from '#renderer/upload/queue/summary.ts';
import { sendUpload } from '#renderer/upload/queue/transport.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';
import { useLeaveWarning } from '#renderer/upload/queue/use-leave-warning.ts';
import { DropOverlayFrame } from '#renderer/upload/sources/drop-overlay.tsx';
import { ACCEPTED, chosenFiles, type Incoming } from '#renderer/upload/sources/sources.ts';
import { useDrop } from '#renderer/upload/sources/use-drop.ts';
import { useFilePaste } from '#renderer/upload/sources/use-file-paste.ts';

/** Milliseconds. */
const COPIED_FOR = 2500;
const NOTHING_FOR = 6000;

interface Intake {
  queue: UploadQueue;
  items: readonly UploadItem[];
  /** Opens the file dialog. */
  choose: () => void;
  /** Copies the links of pictures and confirms it. */
  copy: (images: readonly Uploaded[]) => void;
}

interface Props {
  limits: KnownLimits;
  children: (intake: Intake) => ReactNode;
}

/** Uploads files that a guest chooses, pastes, or drops anywhere on the page. */
export function GuestIntake({ limits, children }: Props) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState<{ copied: number } | 'nothing'>();
  const copyText = useCopy();
  const copyLinks = async (images: readonly Uploaded[], quiet: boolean) => {
    if (await copyText(linksOf(images, getPreferences().linkFormat), { quiet })) setNote({ copied: images.length });
  };
  const queue = useGuestQueue(limits, (images) => void copyLinks(images, true));
  const { items } = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  const take = useCallback(
    ({ files }: Incoming) => {
      if (files.length > 0) queue.add(files.map(({ file, name }) => ({ source: file, name })));
      else setNote('nothing');
    },
    [queue],
  );
  useFilePaste(take);
  useLeaveWarning(queue);
  const { dragging } = useDrop(take);
  const close = () => setNote(undefined);
  return (
    <>
      {children({ queue, items, choose: () => picker.current?.click(), copy: (images) => void copyLinks(images, false) })}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t('upload.choose')}
        onChange={({ currentTarget }) => {
          take(chosenFiles(currentTarget.files));
          // Lets the same file be chosen again.
          currentTarget.value = '';
        }}
      />
      {dragging && <DropOverlayFrame title={t('upload.dropHere')} limits={limits} />}
      {note === 'nothing' && (
        <Note key="nothing" icon={<IconPhotoOff size={20} aria-hidden />} duration={NOTHING_FOR} onClose={close}>
          <strong>{t('upload.nothing')}</strong> {t('upload.nothingHint')}
        </Note>
      )}
      {typeof note === 'object' && (
        <Note key="copied" icon={<IconCheck size={20} aria-hidden />} duration={COPIED_FOR} onClose={close}>
          {t('links.copiedLinks', { count: note.copied })}
        </Note>
      )}
    </>
  );
}

/** @param onFinished called with the pictures whose links to copy, if the guest chose that */
function useGuestQueue(limits: KnownLimits, onFinished: (images: readonly Uploaded[]) => void): UploadQueue {
  const latest = useRef({ limits, onFinished });
  latest.current = { limits, onFinished };
  const [queue] = useState(
    () =>
      new UploadQueue({
        send: sendUpload,
        refuse: (file) => refuse(file, latest.current.limits),
        untilReachable,
        onDrained(items) {
          const { images } = summarise(items);
          if (images.length > 0 && getPreferences().copyAfterUpload) latest.current.onFinished(images);
        },
      }),
  );
  return queue;
}
