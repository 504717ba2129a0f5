import type { ServerResponse } from 'node:http';

/** Aborts when a client disconnects before its response is complete. */
export function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = () => {
    if (!response.writableFinished) left.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return left.signal;
}
