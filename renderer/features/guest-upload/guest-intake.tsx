import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Uploaded } from '#api/images/upload.ts';
import { linksOf } from '#api/sharing/link-formats.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Note } from '#renderer/plain/note.tsx';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { untilReachable } from '#renderer/service/connection.ts';
import { keepGuestLinks } from '#renderer/upload/guest-links.ts';
import { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { type KnownLimits, refuse } from '#renderer/upload/queue/refusal.ts';
import { summarise } from '#renderer/upload/queue/summary.ts';
import { sendUpload } from '#renderer/upload/queue/transport.ts';
import type { NewUpload, UploadItem } from '#renderer/upload/queue/types.ts';
import { useLeaveWarning } from '#renderer/upload/queue/use-leave-warning.ts';
import { PageIntake } from '#renderer/upload/sources/page-intake.tsx';

/** Milliseconds. */
const COPIED_FOR = 2500;

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
  const [copied, setCopied] = useState<number>();
  const copyText = useCopy();
  const copyLinks = async (images: readonly Uploaded[], quiet: boolean) => {
    if (await copyText(linksOf(images, getPreferences().linkFormat), { quiet })) setCopied(images.length);
  };
  const queue = useGuestQueue(limits, (images) => void copyLinks(images, true));
  const { items } = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  // As each arrives, so that a reload in the middle of a batch loses none.
  useEffect(() => keepGuestLinks(items.flatMap(({ image }) => image ?? [])), [items]);
  const take = useCallback((files: readonly NewUpload[]) => queue.add(files), [queue]);
  useLeaveWarning(queue);
  return (
    <>
      <PageIntake limits={limits} onFiles={take}>
        {(choose) => children({ queue, items, choose, copy: (images) => void copyLinks(images, false) })}
      </PageIntake>
      {copied !== undefined && (
        <Note icon={<IconCheck size={20} aria-hidden />} duration={COPIED_FOR} onClose={() => setCopied(undefined)}>
          {t('links.copiedLinks', { count: copied })}
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
        send: (item, onProgress, signal) => sendUpload(item, onProgress, signal, latest.current.limits),
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
