import { API_PREFIX, EVENT_KINDS } from '#api/constants.ts';
import type { EventData, EventKind } from '#api/events.ts';

/** One change that the service tells of. */
export interface LiveEvent extends EventData {
  kind: EventKind;
}

/** A stream that is silent for longer is broken, though its connection may look open: heartbeats come every 20 s. */
export const MAX_SILENCE_MS = 45_000;

/**
 * The stream of events from the service. The browser itself connects again after an interruption, but not after a refusal.
 * @param onEnd called after either, as the service ends the stream with the session
 */
export function createStream(onEvent: (event: LiveEvent) => void, onEnd: () => void) {
  let source: EventSource | undefined;
  let heardAt = 0;

  return {
    /** Opens the stream unless it is open. */
    open() {
      const isOpen = source && source.readyState !== EventSource.CLOSED;
      if (isOpen && Date.now() - heardAt < MAX_SILENCE_MS) return;
      source?.close();
      source = new EventSource(`${API_PREFIX}/events`);
      heardAt = Date.now();
      let wasOpen = false;
      source.addEventListener('open', () => {
        wasOpen = true;
      });
      // While the service can't be reached, each attempt of the browser is an error of its own.
      source.addEventListener('error', ({ target }) => {
        if (wasOpen || (target as EventSource).readyState === EventSource.CLOSED) onEnd();
        wasOpen = false;
      });
      for (const kind of EVENT_KINDS)
        source.addEventListener(kind, ({ data }) => {
          heardAt = Date.now();
          onEvent({ kind, ...(JSON.parse(data) as EventData) });
        });
    },
    close() {
      source?.close();
      source = undefined;
    },
  };
}
