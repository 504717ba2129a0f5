import { IconCircleCheck, IconPhotoUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { MAX_SENDER_LENGTH } from '#api/constants.ts';
import type { ClosedReason } from '#api/errors.ts';
import type { OpenRequest } from '#api/sharing/requests.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Notice } from '#renderer/plain/error-notice.tsx';
import { TextField } from '#renderer/plain/field.tsx';
import { isTouch } from '#renderer/platform/touch.ts';
import { useVideoLimits } from '#renderer/upload/limits.ts';
import type { KnownLimits } from '#renderer/upload/queue/refusal.ts';
import type { Summary } from '#renderer/upload/queue/summary.ts';
import type { NewUpload } from '#renderer/upload/queue/types.ts';
import { useLeaveWarning } from '#renderer/upload/queue/use-leave-warning.ts';
import { PageIntake } from '#renderer/upload/sources/page-intake.tsx';
import { OwnPictures } from './own-pictures.tsx';
import { requestQuery, shownQuery, useFollowed } from './queries.ts';
import { splitByRoom, useRoom, useSenderQueue } from './queue.ts';
import { Queued, USUAL } from './queued.tsx';
import classes from './request.module.css';
import { fileOf, keepName, senderOf, tellName, useSender } from './sender.ts';
import { ShownPictures } from './shown-pictures.tsx';

interface Props {
  request: OpenRequest;
  /** Why the link takes no more, since the page was opened. */
  closed: ClosedReason | undefined;
  /** When the service last said that it takes some. */
  openAt: number;
}

/** Sends the pictures that are chosen, pasted or dropped on the page. */
export function Sending({ request, closed, openAt }: Props) {
  const { id, show } = request;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { exts: allowed_exts, ...accepted } = request.accepts;
  const limits = { ...accepted, allowed_exts };
  const reload = useCallback(() => void queryClient.invalidateQueries({ queryKey: requestQuery(id).queryKey }), [queryClient, id]);
  const { queue, retry } = useSenderQueue({ id, limits, openAt, onFinished: reload });
  const { items, summary, isUnreachable } = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  useLeaveWarning(queue);
  useFollowed(id, summary.open === 0);
  const { data: shown = [] } = useQuery({ ...shownQuery(id), enabled: show !== 'none' });
  const { sent } = useSender(id);
  const roomLeft = useRoom(request, queue, openAt);
  const room = roomLeft();
  const [leftOut, setLeftOut] = useState<{ sent: number; count: number }>();
  const latest = useRef({ limits, closed, roomLeft });
  latest.current = { limits, closed, roomLeft };
  const take = useCallback(
    (files: readonly NewUpload[]) => {
      const now = latest.current;
      const split = splitByRoom(files, now.limits, now.closed ? 0 : now.roomLeft());
      setLeftOut(split.left.length > 0 ? { sent: split.sent, count: split.left.length } : undefined);
      queue.add(split.taken);
    },
    [queue],
  );
  const rows = useMemo(() => ({ cancel: queue.cancel.bind(queue), dismiss: queue.dismiss.bind(queue), retry }), [queue, retry]);
  // What has been removed since isn't counted.
  const stillSent = items.filter(({ image }) => image && (!image.remove_url || sent.some((file) => fileOf(file) === fileOf(image))));
  const isSending = summary.open > 0;
  return (
    <PageIntake limits={limits} onFiles={take}>
      {(choose) => (
        <div className={classes.page}>
          <Heading {...request} />
          {closed && <ClosedNotice closed={closed} />}
          {(!closed || (closed === 'full' && sent.length > 0)) && <Name id={id} isSending={isSending} />}
          {!closed && (
            <section className={classes.zone}>
              <IconPhotoUp size={44} stroke={1.3} aria-hidden />
              <p>{t(room === 0 ? 'sending.noRoom' : isTouch() ? 'sending.dropTouch' : 'sending.drop')}</p>
              {room > 0 && (
                <Button size="md" onClick={choose}>
                  {t(items.length > 0 ? 'sending.more' : 'sending.choose')}
                </Button>
              )}
            </section>
          )}
          {leftOut && (
            <Notice tone="orange" title={t('sending.noRoomTitle')}>
              <p>{t(leftOut.sent > 0 ? 'sending.leftOut' : 'sending.notTaken', leftOut)}</p>
            </Notice>
          )}
          <Outcome open={summary.open} failed={summary.failed} sent={stillSent.length} isUnreachable={isUnreachable} />
          <Queued items={items} queue={rows} closed={closed} />
          {!closed && <Limits request={request} limits={limits} room={room} />}
          <OwnPictures id={id} shown={shown} onRemoved={reload} />
          <ShownPictures id={id} pictures={shown.filter(({ own }) => !own)} />
        </div>
      )}
    </PageIntake>
  );
}

/** What the link asks for. */
export function Heading({ title, message }: Pick<OpenRequest, 'title' | 'message'>) {
  return (
    <header className={classes.head}>
      <h1>{title}</h1>
      {message && <p className={classes.message}>{message}</p>}
    </header>
  );
}

/** Why the link takes no pictures. */
export function ClosedNotice({ closed }: { closed: ClosedReason }) {
  const { t } = useTranslation();
  return (
    <Notice tone="orange" title={t(`sending.${closed}Title`)}>
      <p>{t(`sending.${closed}Text`)}</p>
    </Notice>
  );
}

/** How far everything is, and in the end, that it has arrived. */
function Outcome({ open, sent, failed, isUnreachable }: Pick<Summary, 'open' | 'failed'> & { sent: number; isUnreachable: boolean }) {
  const { t } = useTranslation();
  const isDone = open === 0 && sent > 0;
  return (
    <div role="status" className={classes.outcome} data-done={isDone || undefined}>
      {open > 0 && (
        <>
          <strong>{t('sending.running', { count: open })}</strong>
          <p>{t(isUnreachable ? 'sending.unreachable' : 'sending.keepOpen')}</p>
        </>
      )}
      {isDone && (
        <>
          <IconCircleCheck size={44} stroke={1.4} aria-hidden />
          <strong>{t('sending.sent', { count: sent })}</strong>
          {failed === 0 && <p>{t('sending.thanks')}</p>}
        </>
      )}
      {open === 0 && failed > 0 && <p className={classes.failed}>{t('sending.failed', { count: failed })}</p>}
    </div>
  );
}

const SHOW = { none: 'sending.showNone', own: 'sending.showOwn', all: 'sending.showAll' } as const;

/** What the link takes, and who sees it. */
function Limits({ request, limits, room }: { request: OpenRequest; limits: KnownLimits; room: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const videos = useVideoLimits(limits);
  const { accepts, expires_at, show } = request;
  const named = (exts: readonly string[]) => format.list(exts.map((ext) => ext.toUpperCase()));
  const usual = accepts.exts.filter((ext) => USUAL.includes(ext));
  return (
    <>
      <ul className={classes.limits}>
        <li>{t('sending.noAccount')}</li>
        <li>{t('sending.left', { count: room, formatted: format.number(room) })}</li>
        {accepts.max_file_bytes > 0 && <li>{t('guest.size', { size: format.bytes(accepts.max_file_bytes) })}</li>}
        {videos && <li>{videos}</li>}
        <li>{t('sending.until', { date: format.moment(expires_at) })}</li>
      </ul>
      {usual.length > 0 && usual.length < accepts.exts.length ? (
        <details className={classes.kinds} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('sending.kindsAndOthers', { exts: named(usual) })}</summary>
          {/* Hidden text would still take up space under what follows. */}
          {isOpen && named(accepts.exts)}
        </details>
      ) : (
        <p className={classes.privacy}>{t('sending.kinds', { exts: named(accepts.exts) })}</p>
      )}
      <p className={classes.privacy}>{joinSentences(t(SHOW[show]), t('sending.privacy'))}</p>
    </>
  );
}

/** Milliseconds without another letter. */
const TYPING_PAUSE = 800;

/** The sender's name, kept for the next visit. It also counts for what has been sent before it was typed. */
function Name({ id, isSending }: { id: string; isSending: boolean }) {
  const { t } = useTranslation();
  const [name, setName] = useState(() => senderOf(id).name);
  const told = useRef(name);
  useEffect(() => {
    // While pictures are being sent, it goes with them: they are one batch.
    if (isSending || name === told.current || senderOf(id).sent.length === 0) return;
    const tell = () => {
      told.current = name;
      void tellName(id);
    };
    const timer = setTimeout(tell, TYPING_PAUSE);
    window.addEventListener('pagehide', tell);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', tell);
    };
  }, [id, name, isSending]);
  return (
    <TextField
      label={t('sending.name')}
      description={t('sending.nameHint')}
      value={name}
      maxLength={MAX_SENDER_LENGTH}
      autoComplete="name"
      size="md"
      onChange={(event) => {
        setName(event.currentTarget.value);
        keepName(id, event.currentTarget.value);
      }}
    />
  );
}
