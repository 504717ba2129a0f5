import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { hideCopied, showCopied } from '#renderer/components/links/copied-notice.tsx';
import { LaterWhoCanOpen } from '#renderer/components/links/later-who-can-open.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type AnyImage, isOwn, only, useBatch } from '#renderer/images/list/batch.ts';
import { isOverlaid, isTyping } from '#renderer/images/typing.ts';
import { isCopyKey } from '#renderer/platform/clipboard.ts';
import { loadedLinkStyle, useLinkStyle } from '#renderer/service/account.ts';
import { useReach, useWhoCanOpen } from '#renderer/service/reach.ts';

/** Returns a function that copies the links of images in the preferred format and reports it. */
export function useCopyLinks() {
  const copy = useCopy();
  const announce = useAnnounceCopied();
  const style = useLinkStyle();
  return async (images: readonly AnyImage[]) => {
    if (await copy(styledLinks(images, style))) announce(images);
  };
}

/** The same for one image, as a function that stays the same: lists don't render their tiles again. */
export function useCopyLink() {
  const copyLinks = useCopyLinks();
  const latest = useRef(copyLinks);
  latest.current = copyLinks;
  return useCallback((image: AnyImage) => void latest.current([image]), []);
}

/** Lets Ctrl+C copy links wherever the focus is on the page, except while typing; text that is selected is copied as usual. */
export function useCopyKey(onCopy: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isCopyKey(event) || isTyping(event.target) || isOverlaid()) return;
      event.preventDefault();
      onCopy();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onCopy]);
}

/** Returns a function that reports links that were copied, or passed on in another way that its title says, and offers to publish those of private images, which others can't open. */
export function useAnnounceCopied() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const runBatch = useBatch();
  const reach = useReach();
  const queryClient = useQueryClient();
  const whoCanOpen = useWhoCanOpen();
  return useCallback(
    (images: readonly AnyImage[], title: string = t('links.copiedLinks', { count: images.length })) => {
      const hidden = images.filter(isOwn).filter(({ visibility }) => visibility === 'private');
      const open = () => {
        hideCopied();
        void runBatch({ target: only(hidden), change: { action: 'visibility', visibility: 'public' } }).then(({ failed, error }) => {
          if (failed.length) notifyError(error, t('library.changeFailed', { count: failed.length }));
          else
            notifications.show({
              color: 'petrol.7',
              title: t(hidden.length === 1 ? 'opens.sentence' : 'opens.sentences', { who: whoCanOpen('public') }),
              message: undefined,
            });
        });
      };
      showCopied({
        title,
        message: hidden.length ? (
          <PrivateHint count={hidden.length} only={images.length === 1} onOpen={open} />
        ) : (
          <LaterWhoCanOpen text={styledLinks(images, loadedLinkStyle(queryClient))} count={images.length} />
        ),
        icon: hidden.length ? <IconUser size={18} /> : <IconCheck size={18} />,
        color: hidden.length ? 'orange.8' : 'petrol.7',
        autoClose: hidden.length || reach === 'computer' ? 12_000 : 2500,
      });
    },
    [t, runBatch, notifyError, reach, queryClient, whoCanOpen],
  );
}

function PrivateHint({ count, only, onOpen }: { count: number; only: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      {only ? t('links.privateHint') : t('links.somePrivateHint', { count })}
      <br />
      <Button size="compact-sm" variant="light" mt={6} onClick={onOpen}>
        {t('library.openLinks')}
      </Button>
    </>
  );
}
