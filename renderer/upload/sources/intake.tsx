import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  type ChangeEvent,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FormFields } from '#api/images/upload.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { load } from '#renderer/service/connection.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { chosenFiles, type Incoming, type NamedFile, withoutVideos } from '#renderer/upload/incoming.ts';
import { acceptedBy, takesVideos, useUploadLimits } from '#renderer/upload/limits.ts';
import { rememberedFields } from '#renderer/upload/options/remembered-fields.ts';
import { useAppQueue } from '#renderer/upload/queue/app-uploads.ts';
import { useUploadQueue } from '#renderer/upload/queue/provider.tsx';
import { addressesIn, isOwnLink, nameOfAddress } from './addresses.ts';
import { useTarget } from './target.ts';
import { useDrop } from './use-drop.ts';
import { useFilePaste } from './use-file-paste.ts';

const BatchDialog = lazy(() =>
  load(() => import('#renderer/upload/options/batch-dialog.tsx')).then((module) => ({ default: module.BatchDialog })),
);
const DropOverlay = lazy(() => load(() => import('./app-drop-overlay.tsx')).then((module) => ({ default: module.DropOverlay })));
const AddressDialog = lazy(() => load(() => import('./address-dialog.tsx')).then((module) => ({ default: module.AddressDialog })));

/** The ways to begin an upload. */
interface Intake {
  /** Opens the file dialog. `ask`: the chosen files wait for their options. */
  choose: (options?: { ask?: boolean }) => void;
  chooseFolder: () => void;
  /** Opens the dialog for web addresses; `text` is what was pasted. */
  enterAddress: (text: string) => void;
}

const IntakeContext = createContext<Intake>({ choose: () => undefined, chooseFolder: () => undefined, enterAddress: () => undefined });

/** Returns functions that begin an upload. */
export const useIntake = () => use(IntakeContext);

/** Returns a function that opens the file dialog; the chosen files go into the queue. */
export function useChooseFiles(): () => void {
  const { choose } = useIntake();
  return useCallback(() => choose(), [choose]);
}

/** A dialog that is open before its uploads begin. */
type Asking = { incoming: Incoming; withOptions: boolean } | { text: string };

/** Uploads files that are chosen, dropped anywhere on the page, or pasted, and pictures whose address is pasted. */
export function UploadIntake({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(undefined);
  const asksForChosen = useRef(false);
  const albumId = useTarget();
  const [asking, setAsking] = useState<Asking>();
  const user = useUploader();
  const limits = useUploadLimits();
  const { askOptions, uploadOptions } = usePreferences();
  const { start, startAddresses } = useStart(user);
  const fields = useMemo(() => {
    const remembered = rememberedFields(uploadOptions, user);
    if (!albumId) return remembered;
    const { albums: _albums, ...others } = remembered;
    return { ...others, album_id: albumId };
  }, [uploadOptions, user, albumId]);
  const take = useCallback(
    (given: Incoming, ask = false) => {
      const incoming = takesVideos(limits) ? given : withoutVideos(given);
      const { files, isCut } = incoming;
      const withOptions = ask || askOptions;
      const hasQuestion = withOptions || isCut || files.some(({ folder }) => folder);
      if (!files.length)
        notifications.show({ id: 'nothing', color: 'gray.7', title: t('upload.nothing'), message: t('upload.nothingHint') });
      else if (user !== undefined && hasQuestion) setAsking({ incoming, withOptions });
      else void start([{ files, fields }]);
    },
    [askOptions, fields, user, start, limits, t],
  );
  const intake = useMemo<Intake>(
    () => ({
      choose({ ask = false } = {}) {
        asksForChosen.current = ask;
        picker.current?.click();
      },
      chooseFolder() {
        const input = document.createElement('input');
        input.type = 'file';
        input.webkitdirectory = true;
        input.addEventListener('change', () => take(chosenFiles(input.files)));
        // An input that isn't on the page must be kept until its dialog is closed.
        folderPicker.current = input;
        input.click();
      },
      enterAddress: (text) => setAsking({ text }),
    }),
    [take],
  );
  useFilePaste(take);
  useAddressPaste(user === undefined ? undefined : intake.enterAddress);
  const drop = useDrop(take);
  const onChosen = (event: ChangeEvent<HTMLInputElement>) => {
    take(chosenFiles(event.currentTarget.files), asksForChosen.current);
    asksForChosen.current = false;
    // Lets the same file be chosen again.
    event.currentTarget.value = '';
  };
  const common = { user, target: albumId, onClose: () => setAsking(undefined) };
  return (
    <IntakeContext value={intake}>
      {children}
      <input ref={picker} type="file" multiple hidden accept={acceptedBy(limits)} aria-label={t('upload.choose')} onChange={onChosen} />
      <Suspense>{drop.dragging && <DropOverlay albumId={albumId} fields={fields} drop={drop} withOptions={user !== undefined} />}</Suspense>
      <Suspense>
        {asking && 'incoming' in asking && <BatchDialog {...common} {...asking} onStart={start} />}
        {asking && 'text' in asking && <AddressDialog {...common} first={asking.text} withOptions={askOptions} onStart={startAddresses} />}
      </Suspense>
    </IntakeContext>
  );
}

/** Returns functions that hand uploads to the page's queue, or files to the desktop app's. */
function useStart(user: number | undefined) {
  const queue = useUploadQueue();
  const toApp = useAppQueue(user);
  const notifyError = useNotifyError();
  const start = useCallback(
    async (groups: readonly { files: NamedFile[]; fields: FormFields }[]) => {
      if (!toApp) for (const { files, fields } of groups) queue.add(files.map(asUpload), { user, fields });
      // Each group is a batch in the app, which copies the links of one batch only.
      else for (const { files, fields } of groups) await toApp(files, fields, groups.length === 1).catch(notifyError);
    },
    [queue, user, toApp, notifyError],
  );
  const startAddresses = useCallback(
    (addresses: readonly string[], fields: FormFields) =>
      queue.add(
        addresses.map((source) => ({ source, name: nameOfAddress(source) })),
        { user, fields },
      ),
    [queue, user],
  );
  return { start, startAddresses };
}

const asUpload = ({ file, name }: NamedFile) => ({ source: file, name });

/** The id of the signed-in user, kept after their session has ended while the page is still open. */
function useUploader(): number | undefined {
  const { data: session } = useQuery(sessionQuery);
  const known = useRef<number>(undefined);
  if (session?.user) known.current = session.user.id;
  return known.current;
}

/** @param offerAddresses called with a pasted text of web addresses; undefined where none can be fetched */
function useAddressPaste(offerAddresses: ((text: string) => void) | undefined) {
  const navigate = useNavigate();
  const { data: config } = useQuery(configQuery);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      if (clipboardData?.files.length) return;
      const text = clipboardData?.getData('text/plain').trim() ?? '';
      const addresses = isEditable(event.target) ? undefined : addressesIn(text);
      if (!addresses || !offerAddresses) return;
      event.preventDefault();
      // A link of this site finds its picture.
      if (isOwnLink(addresses[0] ?? '', [location.origin, config?.base_url])) void navigate({ to: '/', search: { q: addresses[0] } });
      else offerAddresses(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [offerAddresses, navigate, config]);
}

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || !!target.closest('input, textarea, [role="dialog"]'));
