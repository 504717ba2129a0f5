import { IconCircleCheck, IconPhotoUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '#api/client.ts';
import { MAX_SENDER_LENGTH } from '#api/constants.ts';
import type { ClosedReason } from '#api/errors.ts';
import type { OpenRequest, SentFile } from '#api/sharing/requests.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { Button } from '#renderer/plain/button.tsx';
import { Notice } from '#renderer/plain/error-notice.tsx';
import { TextField } from '#renderer/plain/field.tsx';
import { isTouch } from '#renderer/platform/touch.ts';
import { client } from '#renderer/service/client.ts';
import { untilReachable } from '#renderer/service/connection.ts';
import { UploadRow } from '#renderer/upload/panel/panel-item.tsx';
import { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { refuse } from '#renderer/upload/queue/refusal.ts';
import { sendForm } from '#renderer/upload/queue/send-form.ts';
import type { Summary } from '#renderer/upload/queue/summary.ts';
import type { NewUpload, Stored, UploadItem } from '#renderer/upload/queue/types.ts';
import { useLeaveWarning } from '#renderer/upload/queue/use-leave-warning.ts';
import { PageIntake } from '#renderer/upload/sources/page-intake.tsx';
import { OwnPictures } from './own-pictures.tsx';
import { requestQuery, shownQuery } from './queries.ts';
import classes from './request.module.css';
import { keepName, keepSent, senderHeaders, senderOf } from './sender.ts';
import { ShownPictures } from './shown-pictures.tsx';

interface Props {
  request: OpenRequest;
  /** Why the link takes no more, since the page was opened. */
  closed: ClosedReason | undefined;
}

type Sent = SentFile & Stored;
type Item = UploadItem<Sent>;

/** Sends the pictures that are chosen, pasted or dropped on the page. */
export function Sending({ request, closed }: Props) {
  const { id, show } = request;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const limits = { max_file_bytes: request.accepts.max_file_bytes, allowed_exts: request.accepts.exts };
  const reload = useCallback(() => void queryClient.invalidateQueries({ queryKey: requestQuery(id).queryKey }), [queryClient, id]);
  const queue = useSenderQueue(id, limits, reload);
  const { items, summary, isUnreachable } = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  useLeaveWarning(queue);
  const { data: shown = [] } = useQuery({ ...shownQuery(id), enabled: show !== 'none' });
  const take = useCallback((files: readonly NewUpload[]) => queue.add(files), [queue]);
  return (
    <PageIntake limits={limits} onFiles={take}>
      {(choose) => (
        <div className={classes.page}>
          <header className={classes.head}>
            <h1>{request.title}</h1>
            {request.message && <p className={classes.message}>{request.message}</p>}
          </header>
          {closed ? (
            <Notice tone="orange" title={t(`sending.${closed}Title`)}>
              <p>{t(`sending.${closed}Text`)}</p>
            </Notice>
          ) : (
            <>
              <Name id={id} />
              <section className={classes.zone}>
                <IconPhotoUp size={44} stroke={1.3} aria-hidden />
                <p>{t(isTouch() ? 'sending.dropTouch' : 'sending.drop')}</p>
                <Button size="md" onClick={choose}>
                  {t(items.length > 0 ? 'sending.more' : 'sending.choose')}
                </Button>
              </section>
            </>
          )}
          <Outcome {...summary} isUnreachable={isUnreachable} />
          <Queued items={items} queue={queue} />
          {!closed && <Limits request={request} isSending={summary.open > 0} />}
          <OwnPictures id={id} shown={shown} onRemoved={reload} />
          <ShownPictures id={id} pictures={shown.filter(({ own }) => !own)} />
        </div>
      )}
    </PageIntake>
  );
}

/** The sender's name, kept for the next visit. */
function Name({ id }: { id: string }) {
  const { t } = useTranslation();
  const [name, setName] = useState(() => senderOf(id).name);
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

/** How far everything is, and in the end, that it has arrived. */
function Outcome({ open, added, failed, isUnreachable }: Pick<Summary, 'open' | 'added' | 'failed'> & { isUnreachable: boolean }) {
  const { t } = useTranslation();
  const isDone = open === 0 && added > 0;
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
          <strong>{t('sending.sent', { count: added })}</strong>
          {failed === 0 && <p>{t('sending.thanks')}</p>}
        </>
      )}
      {open === 0 && failed > 0 && <p className={classes.failed}>{t('sending.failed', { count: failed })}</p>}
    </div>
  );
}

/** What hasn't arrived. */
function Queued({ items, queue }: { items: readonly Item[]; queue: UploadQueue<Sent> }) {
  const { t } = useTranslation();
  const left = items.filter(({ state }) => state !== 'done');
  if (left.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('sending.queue')}>
      {left.map((item) => (
        <li key={item.id}>
          <UploadRow item={item} queue={queue} />
        </li>
      ))}
    </ul>
  );
}

const SHOW = { none: 'sending.showNone', own: 'sending.showOwn', all: 'sending.showAll' } as const;

function Limits({ request, isSending }: { request: OpenRequest; isSending: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { accepts, files_left, expires_at, show } = request;
  return (
    <>
      <ul className={classes.limits}>
        {/* Known again once everything has been sent. */}
        {!isSending && <li>{t('sending.left', { count: files_left, formatted: format.number(files_left) })}</li>}
        {accepts.max_file_bytes > 0 && <li>{t('guest.size', { size: format.bytes(accepts.max_file_bytes) })}</li>}
        <li>{accepts.exts.map((ext) => ext.toUpperCase()).join(', ')}</li>
        <li>{t('sending.until', { date: format.moment(expires_at) })}</li>
      </ul>
      <p className={classes.privacy}>
        {t(SHOW[show])} {t('sending.privacy')}
      </p>
    </>
  );
}

function useSenderQueue(id: string, limits: Parameters<typeof refuse>[1], onFinished: () => void): UploadQueue<Sent> {
  const latest = useRef({ limits, onFinished });
  latest.current = { limits, onFinished };
  const [queue] = useState(() => {
    /** The names of the first attempts: another one would make the retry another request. */
    const names = new Map<string, string>();
    return new UploadQueue<Sent>({
      async send({ idempotencyKey, source, name }, onProgress, signal) {
        const from = names.get(idempotencyKey) ?? senderOf(id).name.trim();
        names.set(idempotencyKey, from);
        const address = addressOf('POST /r/:id/upload', { params: { id } });
        // Only addresses are no files, and they can't be added here.
        const form = { method: 'POST', address, idempotencyKey, file: source as File, name, headers: senderHeaders(id) } as const;
        const sent = await sendForm<SentFile>({ ...form, fields: { from } }, { onProgress, signal });
        return { ...sent, key: idempotencyKey, created_at: new Date().toISOString(), reused: false };
      },
      refuse: (file) => refuse(file, latest.current.limits),
      untilReachable,
      onUploaded({ image }) {
        if (image) keepSent(id, { name: image.name, size: image.size, remove_url: image.remove_url, remove_until: image.remove_until });
      },
      onDrained(items) {
        latest.current.onFinished();
        if (!items.some(({ state }) => state === 'done')) return;
        // Without it, the owner is notified two minutes later.
        void client.call('POST /r/:id/done', { params: { id }, body: {}, headers: senderHeaders(id) }).catch(() => undefined);
      },
    });
  });
  return queue;
}
