import { IconCircleCheck, IconPhotoUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClosedReason } from '#api/errors.ts';
import type { OpenRequest } from '#api/sharing/requests.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Notice } from '#renderer/plain/error-notice.tsx';
import { isTouch } from '#renderer/platform/touch.ts';
import type { Summary } from '#renderer/upload/queue/summary.ts';
import type { NewUpload } from '#renderer/upload/queue/types.ts';
import { useLeaveWarning } from '#renderer/upload/queue/use-leave-warning.ts';
import { PageIntake } from '#renderer/upload/sources/page-intake.tsx';
import { Limits } from './limits.tsx';
import { Name } from './name.tsx';
import { OwnPictures } from './own-pictures.tsx';
import { requestQuery, shownQuery, useFollowed } from './queries.ts';
import { splitByRoom, useRoom, useSenderQueue } from './queue.ts';
import { Queued } from './queued.tsx';
import classes from './request.module.css';
import { fileOf, useSender } from './sender.ts';
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
  const limits = { max_file_bytes: request.accepts.max_file_bytes, allowed_exts: request.accepts.exts };
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
          {!closed && <Limits request={request} room={room} />}
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
