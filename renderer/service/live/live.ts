import { CHANNEL, ENDED, OPEN } from './channel.ts';
import { createStream, type LiveEvent, MAX_SILENCE_MS } from './stream.ts';

/** How often a silent stream is opened again. */
const RETRY_MS = 15_000;
/** How often everything is read again while there is no stream. */
const POLL_MS = 60_000;

const RESYNC: LiveEvent = { kind: 'resync', keys: [] };

/**
 * Calls `listener` with what changes on the service, as long as a user is signed in. Without a stream, it gets a `resync` every minute.
 * @param onEnd called when the session may be over
 */
export function follow(listener: (event: LiveEvent) => void, onEnd: () => void): () => void {
  let heardAt = Date.now();
  let polledAt = Date.now();
  const source = (typeof SharedWorker === 'function' ? throughWorker : ofThisTab)((event) => {
    heardAt = Date.now();
    listener(event);
  }, onEnd);
  const look = () => {
    const now = Date.now();
    if (document.hidden || now - heardAt < MAX_SILENCE_MS) return;
    source.open();
    if (now - Math.max(heardAt, polledAt) < POLL_MS) return;
    polledAt = now;
    listener(RESYNC);
  };
  const timer = setInterval(look, RETRY_MS);
  // A computer that was asleep has heard nothing.
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
    source.close();
  };
}

interface Source {
  open(): void;
  close(): void;
}

function throughWorker(onEvent: (event: LiveEvent) => void, onEnd: () => void): Source {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent | typeof OPEN | typeof ENDED>) => {
    if (data === ENDED) onEnd();
    else if (data !== OPEN) onEvent(data);
  };
  new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  // A worker that is there already may have lost its stream with the last session.
  const open = () => channel.postMessage(OPEN);
  open();
  return { open, close: () => channel.close() };
}

/** On phones whose browser has no shared workers, only one tab is visible at a time. */
function ofThisTab(onEvent: (event: LiveEvent) => void, onEnd: () => void): Source {
  const stream = createStream(onEvent, onEnd);
  const onVisibility = () => (document.hidden ? stream.close() : stream.open());
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return {
    open: stream.open,
    close() {
      document.removeEventListener('visibilitychange', onVisibility);
      stream.close();
    },
  };
}
