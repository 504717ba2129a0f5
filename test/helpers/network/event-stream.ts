import { onTestFinished } from 'vitest';
import type { Reachable } from '#test/helpers/service/service.ts';

export interface ReceivedEvent {
  id: string;
  kind: string;
  keys: string[];
}

/** An open stream of events, which collects what it receives. */
export interface EventStream {
  response: Response;
  events: ReceivedEvent[];
  /** The events so far about pictures, albums and jobs, merged: their keys by kind, in order of arrival. */
  told(): Record<string, string[]>;
  close(): void;
  /** Resolves once the service has ended it. */
  ended: Promise<void>;
}

/** Opens a stream with a caller's headers, and closes it at the end of the test. */
export async function openEvents(service: Reachable, headers: Record<string, string>): Promise<EventStream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(`${service.url}/api/v1/events`, { headers, signal: abort.signal });
  const events: ReceivedEvent[] = [];
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
        if (fields.event) events.push({ id: fields.id ?? '', kind: fields.event, keys: JSON.parse(fields.data).keys });
      }
    }
  };
  return {
    response,
    events,
    told: () => {
      const told: Record<string, string[]> = {};
      for (const { kind, keys } of events) if (kind !== 'resync' && kind !== 'heartbeat') told[kind] = [...(told[kind] ?? []), ...keys];
      return told;
    },
    close: () => abort.abort(),
    ended: response.ok ? read().catch(() => undefined) : Promise.resolve(),
  };
}

/** The text of a response; of a stream of events, which has no end, the beginning. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const begin = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(begin?.value);
}
