import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { linksOf } from '#api/link-formats.ts';
import { useLinkFormat } from '#renderer/account.ts';
import { copyText } from '#renderer/clipboard.ts';
import { useBatch } from '#renderer/images/batch.ts';
import { load } from '#renderer/service/connection.ts';
import { useNotifyError } from './notice.tsx';

const CopyByHand = lazy(() => load(() => import('./copy-by-hand.tsx')).then((module) => ({ default: module.CopyByHand })));

interface Copying {
  /** Copies text; where the browser does not allow it, shows it selected, for copying by hand. */
  copy(text: string): Promise<boolean>;
  /** Copies the links of pictures in the preferred format, and says so, with a warning where others could not open them. */
  copyLinks(images: readonly Image[]): Promise<void>;
}

const CopyingContext = createContext<Copying | undefined>(undefined);

export function useCopying(): Copying {
  const copying = use(CopyingContext);
  if (!copying) throw new Error('useCopying needs a CopyingProvider above it');
  return copying;
}

/** Says that links are on the clipboard, and offers to open those that strangers could not. Also used where something else has put them there. */
export function useAnnounceCopied() {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate } = useBatch();
  return useCallback(
    (images: readonly Image[]) => {
      const hidden = images.filter((image) => image.visibility === 'private');
      const open = () => {
        notifications.hide('copied');
        mutate(
          { images: hidden, change: { action: 'visibility', visibility: 'public' } },
          {
            onSuccess: ({ failed, error }) => {
              if (failed.length) notifyError(error, t('library.changeFailed', { count: failed.length }));
              else notifications.show({ color: 'petrol.7', title: t('library.opened', { count: hidden.length }), message: undefined });
            },
            onError: (error) => notifyError(error),
          },
        );
      };
      notifications.show({
        id: 'copied',
        title: t('links.copiedLinks', { count: images.length }),
        message: hidden.length ? <PrivateHint count={hidden.length} only={images.length === 1} onOpen={open} /> : undefined,
        icon: hidden.length ? <IconLock size={18} /> : <IconCheck size={18} />,
        color: hidden.length ? 'orange.8' : 'petrol.7',
        autoClose: hidden.length ? 12_000 : 2500,
      });
    },
    [t, mutate, notifyError],
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

export function CopyingProvider({ children }: { children: ReactNode }) {
  const [byHand, setByHand] = useState<string>();
  const linkFormat = useLinkFormat();
  const announce = useAnnounceCopied();
  const copying = useMemo<Copying>(() => {
    const copy = async (text: string) => {
      const copied = await copyText(text);
      if (!copied) setByHand(text);
      return copied;
    };
    return {
      copy,
      async copyLinks(images) {
        if (await copy(linksOf(images, linkFormat))) announce(images);
      },
    };
  }, [linkFormat, announce]);
  return (
    <CopyingContext value={copying}>
      {children}
      {byHand !== undefined && (
        <Suspense>
          <CopyByHand text={byHand} onClose={() => setByHand(undefined)} />
        </Suspense>
      )}
    </CopyingContext>
  );
}
