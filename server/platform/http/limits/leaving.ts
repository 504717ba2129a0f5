import type { ServerResponse } from 'node:http';

const signals = new WeakMap<ServerResponse, AbortSignal>();

/** Aborts when a client disconnects before its response is complete. */
export function leaving(response: ServerResponse): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const left = new AbortController();
  const leave = () => {
    if (!response.writableFinished) left.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  signals.set(response, left.signal);
  return left.signal;
}
