import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { HostLimits } from '#api/desktop/joining.ts';
import { showAppError } from '#renderer/features/folders/show-error.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { chosenFiles, droppedPaths, type Incoming, MAX_FILES } from '#renderer/upload/incoming.ts';
import { acceptedBy } from '#renderer/upload/limits.ts';
import { useDrop } from '#renderer/upload/sources/use-drop.ts';
import { useFilePaste } from '#renderer/upload/sources/use-file-paste.ts';

/** The ways to upload from the window; dropping and pasting work anywhere in it. */
export interface Intake {
  isDragging: boolean;
  /** Opens the dialog for files. */
  choose(): void;
  chooseFolder(): void;
}

/** Hands pictures that are dropped, pasted or chosen to the app's queue, which outlives the window. */
export function useIntake(bridge: DesktopBridge, limits: HostLimits | undefined): Intake {
  const { t } = useTranslation();
  const format = useFormat();
  const refuse = useCallback(
    () => notifications.show({ id: 'nothing', color: 'gray.7', title: t('upload.nothing'), message: t('upload.nothingHint') }),
    [t],
  );
  const tellOfCut = useCallback(
    () => notifications.show({ color: 'gray.7', message: t('batch.cut', { max: format.number(MAX_FILES) }) }),
    [format, t],
  );
  const upload = useCallback(
    async (files: File[]) => {
      try {
        const { length } = await bridge.uploadFiles(files);
        // Folders may have had none, or more than are taken at once.
        if (length === 0) refuse();
        else if (length >= MAX_FILES) tellOfCut();
      } catch (error) {
        showAppError(error);
      }
    },
    [bridge, refuse, tellOfCut],
  );
  const take = useCallback(
    ({ files }: Incoming) => {
      if (files.length === 0) refuse();
      // Files from the disk keep their own names; the name given to a pasted picture goes with it.
      else void upload(files.map(({ file, name }) => (file.name === name ? file : new File([file], name, { type: file.type }))));
    },
    [upload, refuse],
  );
  const { dragging } = useDrop(take, droppedPaths);
  useFilePaste(take);
  useOtherPaste(refuse);
  const isDraggingPicture = useAddressDrop({ bridge, upload, refuse });
  // An input that isn't on the page must be kept until its dialog is closed.
  const picker = useRef<HTMLInputElement>(undefined);
  const pick = (folder: boolean) => {
    picker.current = document.createElement('input');
    openDialog(picker.current, take, folder ? undefined : acceptedBy(limits));
  };
  return { isDragging: dragging || isDraggingPicture, choose: () => pick(false), chooseFolder: () => pick(true) };
}

/** @param accept what a dialog for files offers; undefined: it is for a folder */
function openDialog(input: HTMLInputElement, take: (incoming: Incoming) => void, accept: string | undefined) {
  input.type = 'file';
  if (accept === undefined) input.webkitdirectory = true;
  else Object.assign(input, { multiple: true, accept });
  input.addEventListener('change', () => take(chosenFiles(input.files)));
  input.click();
}

/** Calls back when something other than files is pasted outside a field. */
function useOtherPaste(refuse: () => void) {
  useEffect(() => {
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      const isField = target instanceof HTMLElement && target.closest('input, textarea, [role="dialog"]');
      if (!isField && !clipboardData?.files.length) refuse();
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [refuse]);
}

interface Options {
  bridge: DesktopBridge;
  upload(files: File[]): Promise<void>;
  /** Called for a drop without a picture. */
  refuse(): void;
}

/** Takes pictures that are dragged from a browser, of which some systems bring only the address. Returns whether one is over the window. */
function useAddressDrop({ bridge, upload, refuse }: Options): boolean {
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
