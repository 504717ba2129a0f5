import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, addressOf } from '#api/client.ts';
import type { OpenRequest, SentFile } from '#api/sharing/requests.ts';
import { untilReachable } from '#renderer/service/connection.ts';
import { UploadQueue } from '#renderer/upload/queue/queue.ts';
import { type KnownLimits, refuse } from '#renderer/upload/queue/refusal.ts';
import { sendForm } from '#renderer/upload/queue/send-form.ts';
import { isOpen, type NewUpload, type Stored, type UploadItem } from '#renderer/upload/queue/types.ts';
import { keepSent, senderHeaders, senderOf, tellName } from './sender.ts';

export type Sent = SentFile & Stored;
export type Item = UploadItem<Sent>;

interface Options {
  id: string;
  limits: KnownLimits;
  /** When the service last said that the link is open. */
  openAt: number;
  onFinished: () => void;
}

/** The uploads of a sender. Once the link has refused one, the others fail without being sent, until it is open again or a retry is asked for. */
export function useSenderQueue({ id, limits, openAt, onFinished }: Options) {
  const latest = useRef({ limits, onFinished });
  latest.current = { limits, onFinished };
  const refusal = useRef<ApiError>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another response
  useEffect(() => {
    refusal.current = undefined;
  }, [openAt]);
  const [queue] = useState(() => {
    /** The names of the first attempts: another one would make the retry another request. */
    const names = new Map<string, string>();
    return new UploadQueue<Sent>({
      async send({ idempotencyKey, source, name }, onProgress, signal) {
        if (refusal.current) throw refusal.current;
        const from = names.get(idempotencyKey) ?? senderOf(id).name.trim();
        names.set(idempotencyKey, from);
        const address = addressOf('POST /r/:id/upload', { params: { id } });
        // Only addresses are no files, and they can't be added here.
        const form = { method: 'POST', address, idempotencyKey, file: source as File, name, headers: senderHeaders(id) } as const;
        const maxSeconds = latest.current.limits.max_video_seconds;
        const sent = await sendForm<SentFile>({ ...form, fields: { from }, maxSeconds }, { onProgress, signal });
        return { ...sent, key: idempotencyKey, created_at: new Date().toISOString(), reused: false };
      },
      refuse: (file) => refuse(file, latest.current.limits),
      untilReachable,
      onUploaded({ image }) {
        if (image) keepSent(id, { name: image.name, size: image.size, remove_url: image.remove_url, remove_until: image.remove_until });
      },
      onFailed(error) {
        if (error instanceof ApiError && error.code === 'request_closed') refusal.current = error;
      },
      onDrained(items) {
        latest.current.onFinished();
        // Without it, the owner is notified two minutes later.
        if (items.some(({ state }) => state === 'done')) void tellName(id);
      },
    });
  });
  const retry = useCallback(
    (item: number) => {
      refusal.current = undefined;
      queue.retry(item);
    },
    [queue],
  );
  return { queue, retry };
}

/** Returns a function that tells how many more pictures there is room for: what the service last said, less what has been added since. */
export function useRoom({ files_left }: Pick<OpenRequest, 'files_left'>, queue: UploadQueue<Sent>, openAt: number): () => number {
  const known = useRef({ openAt: 0, sent: new Set<number>() });
  if (known.current.openAt !== openAt) {
    const done = queue.getSnapshot().items.filter(({ state }) => state === 'done');
    known.current = { openAt, sent: new Set(done.map(({ id }) => id)) };
  }
  return () => {
    const takes = (item: Item) => isOpen(item) || (item.state === 'done' && !known.current.sent.has(item.id));
    return Math.max(0, files_left - queue.getSnapshot().items.filter(takes).length);
  };
}

/** Splits what was chosen: as many as there is room for, in order, with those that need none because they can't be sent; and the rest. */
export function splitByRoom(files: readonly NewUpload[], limits: KnownLimits, room: number) {
  const [taken, left]: [NewUpload[], NewUpload[]] = [[], []];
  let sent = 0;
  for (const file of files) {
    const isRefused = file.source instanceof File && refuse(file.source, limits) !== undefined;
    if (!isRefused && sent >= room) left.push(file);
    else {
      taken.push(file);
      if (!isRefused) sent += 1;
    }
  }
  return { taken, sent, left };
}
