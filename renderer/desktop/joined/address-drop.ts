import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { showAppError } from '#renderer/features/folders/show-error.tsx';

interface Options {
  bridge: DesktopBridge;
  upload(files: File[]): Promise<void>;
  /** Called for a drop without a picture. */
  refuse(): void;
}

/** Takes pictures that are dragged from a browser, of which some systems bring only the address. Returns whether one is over the window. */
export function useAddressDrop({ bridge, upload, refuse }: Options): boolean {
  const { t } = useTranslation('desktop');
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    /** Something of this window is being dragged. */
    let isOwn = false;
    const counts = (transfer: DataTransfer | null): transfer is DataTransfer => !!transfer && !isOwn && bringsAddress(transfer.types);
    const fetchPicture = async (address: string) => {
      const id = notifications.show({ loading: true, autoClose: false, message: t('joined.fetching') });
      const end = bridge.onDelivery(({ failed }) => {
        if (failed > 0) notifications.show({ color: 'red.7', title: t('joined.notFetched'), message: new URL(address).host });
      });
      await bridge.uploadAddress(address).catch(showAppError);
      end();
      notifications.hide(id);
    };
    const handlers = {
      dragstart: () => {
        isOwn = true;
      },
      dragend: () => {
        isOwn = false;
      },
      dragover: (event: DragEvent) => {
        if (!counts(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      },
      dragleave: ({ relatedTarget }: DragEvent) => {
        if (relatedTarget === null) setIsOver(false);
      },
      drop: (event: DragEvent) => {
        setIsOver(false);
        if (!counts(event.dataTransfer)) return;
        event.preventDefault();
        const address = addressOf(event.dataTransfer);
        if (!address) refuse();
        else if (address.startsWith('data:')) void upload([fileOf(address)]);
        else void fetchPicture(address);
      },
    };
    const entries = Object.entries(handlers) as [string, EventListener][];
    for (const [name, handler] of entries) document.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of entries) document.removeEventListener(name, handler);
    };
  }, [bridge, upload, refuse, t]);
  return isOver;
}

/** Files are taken as such. */
const bringsAddress = (types: readonly string[]) =>
  !types.includes('Files') && (types.includes('text/uri-list') || types.includes('text/html'));

/** The address of a picture dragged from a page: its own, rather than that of the link around it. */
function addressOf(transfer: DataTransfer): string | undefined {
  const page = new DOMParser().parseFromString(transfer.getData('text/html'), 'text/html');
  const list = transfer.getData('text/uri-list').split(/\r?\n/);
  const candidates = [page.querySelector('img')?.getAttribute('src'), ...list];
  return candidates.find((text): text is string => !!text && /^(https?:\/\/\S+|data:image\/[\w+.-]+;base64,\S+)$/i.test(text));
}

/** The picture in an address of the kind `data:image/png;base64,…`. */
function fileOf(address: string): File {
  const [head = '', base64 = ''] = address.split(',');
  const type = head.slice('data:'.length, head.indexOf(';'));
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new File([bytes], `dropped.${type.replace(/^image\/|\+.*/g, '')}`, { type });
}
