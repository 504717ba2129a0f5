import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Draft, SentVideo } from '#api/desktop/drafts.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { type OutputFormat, renamed } from '#renderer/editor/picture/output.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isTyping } from '#renderer/images/typing.ts';

/** A picture with everything that is drawn on it, for as long as it looks the same. */
export interface DrawnPicture {
  bytes: Uint8Array<ArrayBuffer>;
  ext: OutputFormat['ext'];
  /** In pixels. */
  size: { width: number; height: number };
}

interface Options {
  bridge: DesktopBridge;
  draft: Draft;
  /** Draws the result, as a PNG if asked; resolves to null if nothing is drawn. Undefined: the picture can't be drawn on. */
  draw: ((kind: 'own' | 'png') => Promise<DrawnPicture | null>) | undefined;
  /** What makes a video of it: what is sent, and whether it was saved. The page has written a file then, or the draft's own is taken. */
  video?: { send(): Promise<SentVideo>; save(): Promise<boolean> } | undefined;
  /** Called once the result has been copied or saved. */
  onExported?: () => void;
}

export interface DraftActions {
  /** The action under way. */
  busy: 'send' | 'sendTo' | 'copy' | 'pin' | 'save' | 'discard' | undefined;
  /** Whether the picture has been shown long enough to be sent. */
  isSeen: boolean;
  send(): void;
  /** Uploads it, and has the user choose to whom it is sent. */
  sendTo(): void;
  copy(): void;
  pin(): void;
  save(): void;
  discard(): void;
  close(): void;
}

/** What can be done with a draft. A failure changes nothing and is shown. */
export function useDraftActions({ bridge, draft: { id, name, bytes }, draw, video, onExported }: Options): DraftActions {
  const { t } = useTranslation('edit');
  const notifyError = useNotifyError();
  const [busy, setBusy] = useState<DraftActions['busy']>();
  const isSeen = useSeen();

  const run = (what: NonNullable<DraftActions['busy']>, action: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(what);
    // Drawing would keep the page from showing that it works.
    new Promise((resolve) => setTimeout(resolve))
      .then(action)
      .catch((error: unknown) => notifyError(error, t('failed')))
      .finally(() => setBusy(undefined));
  };
  const exported = (title: string) => {
    onExported?.();
    notifications.show({ color: 'petrol.7', title, message: undefined, autoClose: 3000 });
  };

  const send = (what: 'send' | 'sendTo') => {
    if (isSeen) run(what, async () => bridge.sendDraft(id, video ? await video.send() : sendable(await draw?.('own')), what === 'sendTo'));
  };

  return {
    busy,
    isSeen,
    send: () => send('send'),
    sendTo: () => send('sendTo'),
    copy: () =>
      run('copy', async () => {
        const drawn = await draw?.('png');
        if (!drawn) return;
        await bridge.copyPicture(drawn.bytes);
        exported(t('copied'));
      }),
    pin: () =>
      run('pin', async () => {
        const drawn = await draw?.('png');
        if (drawn) await bridge.pinPicture(name, drawn.bytes, drawn.size);
      }),
    save: () =>
      run('save', async () => {
        if (video) {
          if (await video.save()) exported(t('videoSaved'));
          return;
        }
        const drawn = await draw?.('own');
        const picture = drawn?.bytes ?? bytes;
        if (picture && (await bridge.savePicture(drawn ? renamed(name, drawn.ext) : name, picture))) exported(t('saved'));
      }),
    discard: () => run('discard', () => bridge.discardDraft(id)),
    close: () => void bridge.closeDraft().catch((error: unknown) => notifyError(error)),
  };
}

const sendable = (drawn: DrawnPicture | null | undefined) => (drawn ? { bytes: drawn.bytes, ext: drawn.ext } : null);

/** Milliseconds for which a picture is shown before it can be sent: a doubled Enter or click is meant for the one before it. */
const GUARD = 600;

/**
 * Whether the picture has been shown long enough to be sent. Until then, and while Enter is held, Enter does nothing: the next draft takes the
 * place of the one just sent.
 */
function useSeen(): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setIsSeen(true), GUARD);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, []);
  const latest = useRef(isSeen);
  latest.current = isSeen;
  useEffect(() => {
    let isHeld = false;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || isTyping(event.target)) return;
      if (!latest.current) isHeld = true; // another window may have seen it go down
      if (!isHeld && !event.repeat) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const release = (event: KeyboardEvent) => {
      if (event.key === 'Enter') isHeld = false;
    };
    // Before everything else, buttons included.
    addEventListener('keydown', press, { capture: true });
    addEventListener('keyup', release, { capture: true });
    return () => {
      removeEventListener('keydown', press, { capture: true });
      removeEventListener('keyup', release, { capture: true });
    };
  }, []);
  return isSeen;
}
