import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError, readEnvelope } from '#api/client.ts';
import { API_PREFIX } from '#api/constants.ts';
import type { EventData, EventKind } from '#api/events.ts';
import type { Clock } from '#main/base/clock.ts';
import { Reason } from '#main/base/reasons.ts';
import { type Access, type Account, asAccount } from './account.ts';

/** Between the end of a stream, which a restart of the service or a closed session brings about, and the next one. */
export const FOLLOW_AGAIN_AFTER_MS = 30_000;

interface Parts {
  account: Account;
  clock: Clock;
  /** What it rejects with is logged. */
  onEvent(event: EventData & { kind: EventKind }, access: Access): Promise<void>;
}

/** Follows what the service tells an account of, for as long as the app runs, and starts again when another account is chosen. */
export function followAccount({ account, clock, onEvent }: Parts): void {
  let followed: string | undefined;
  let stream = new AbortController();

  async function follow({ signal }: AbortController) {
    const end = await asAccount(account, (access) => readStream(access, signal)).catch((error: unknown) => error);
    if (signal.aborted) return;
    // A token that may only upload.
    if (end instanceof ApiError && end.code === 'forbidden') return;
    if (end instanceof Error && !(end instanceof Reason)) console.error('Couldn’t follow the account’s events:', end);
    followed = undefined;
    clock.after(FOLLOW_AGAIN_AFTER_MS, update);
  }

  async function readStream(access: Access, signal: AbortSignal) {
    const response = await fetch(`${access.url}${API_PREFIX}/events`, { headers: access.headers, signal });
    if (!response.ok || !response.body) return void (await readEnvelope(response));
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events)
      await onEvent({ kind: event as EventKind, ...(JSON.parse(data) as EventData) }, access).catch((error: unknown) =>
        console.error(`Couldn’t handle the event ${event}:`, error),
      );
  }

  function update() {
    const id = account.state() === 'ready' ? account.id() : undefined;
    if (id === followed) return;
    followed = id;
    stream.abort();
    stream = new AbortController();
    if (id !== undefined) void follow(stream);
  }

  account.onChange(update);
  update();
}
