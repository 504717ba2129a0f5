import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeLiteral } from 'pg';
import { connectionConfig } from './pool.ts';

const CHANNEL = 'pixdock';
const RETRY_MS = 1_000;
/** How often the connection is tried: one that fails silently is noticed no later than this plus the time limit of a statement. */
const HEARTBEAT_MS = 5_000;
const STATEMENT_MS = 2_000;

/** Notices the commits of other processes: each commit sends a notification, which arrives within milliseconds. */
export interface Notifications {
  /** Changes with each commit that is noticed; undefined while those of other processes aren't. */
  version(): number | undefined;
  /** Counts a commit of this process. */
  count(): void;
  /** The statements that notify other processes, before a COMMIT. */
  notify(messages: readonly string[]): string;
  /** Calls `listener` with every message of other processes, and with undefined whenever some may have been lost. */
  onMessage(listener: (message: string | undefined) => void): void;
  close(): Promise<void>;
}

/** Listens on a connection of its own, which is opened again whenever it is lost. Resolves once it has tried for the first time. */
export async function openNotifications(url: string): Promise<Notifications> {
  const self = randomUUID();
  const listeners: ((message: string | undefined) => void)[] = [];
  const closing = new AbortController();
  let isListening = false;
  let commits = 0;

  const tell = (message: string | undefined) => {
    commits++;
    for (const listener of listeners) listener(message);
  };
  const onNotification = (payload = '') => {
    if (payload.startsWith(self)) return;
    const message = payload.slice(self.length);
    if (message) tell(message);
    else commits++;
  };

  /** Listens until the connection is lost. */
  async function listen(tried: () => void) {
    const client = new Client(connectionConfig(url, STATEMENT_MS));
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => onNotification(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      isListening = true;
      tell(undefined);
      tried();
      const signal = AbortSignal.any([closing.signal, lost.signal]);
      for (;;) {
        await delay(HEARTBEAT_MS, undefined, { signal, ref: false });
        await client.query('select 1');
      }
    } catch {
      // Lost, never opened, or closing: reads and writes fail for the same reason, and report it.
      if (isListening) tell(undefined);
      isListening = false;
      tried();
      await client.end().catch(() => undefined);
    }
  }

  const { promise: firstTried, resolve: tried } = Promise.withResolvers<void>();
  const stopped = (async () => {
    while (!closing.signal.aborted) {
      await listen(tried);
      await delay(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  })();
  await firstTried;
  return {
    version: () => (isListening ? commits : undefined),
    count: () => commits++,
    notify: (messages) => ['', ...messages].map((message) => `select pg_notify('${CHANNEL}', ${escapeLiteral(self + message)})`).join('; '),
    onMessage: (listener) => listeners.push(listener),
    async close() {
      closing.abort();
      await stopped;
    },
  };
}
