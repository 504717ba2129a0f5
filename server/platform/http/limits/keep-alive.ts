import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '#server/platform/http/headers/default-headers.ts';

/**
 * Milliseconds that a connection stays open between two requests. Connection pools and proxies keep theirs for 60 s: the service must
 * not be the first to close one, or a request that is already on its way is lost.
 */
export const IDLE_MS = 75_000;

/** Programs that keep running until their idle connection is closed: `picgo upload` would hang for {@link IDLE_MS}. */
const WAITS_FOR_CLOSE = /^PicGo\b/;

/** The header that closes the connection after a response to a program that would otherwise wait for it; empty for all others. */
export const closingHeader = ({ headers }: IncomingMessage): HeaderList =>
  WAITS_FOR_CLOSE.test(headers['user-agent'] ?? '') ? ['Connection', 'close'] : [];
