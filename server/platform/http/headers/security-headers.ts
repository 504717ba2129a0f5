import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { HeaderList } from './default-headers.ts';

/**
 * Helmet's defaults assume https: HSTS and upgrade-insecure-requests would break plain http on the LAN, and its resource
 * policy would break pictures embedded in other sites (/i and /t set their own).
 */
const setHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      fontSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      // A page plays the file that it is about to send, for a poster.
      mediaSrc: ["'self'", 'blob:'],
      objectSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
    },
  },
  strictTransportSecurity: false,
  originAgentCluster: false,
  crossOriginOpenerPolicy: false, // ignored on plain http, with a warning in every console
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
});

let known: HeaderList | undefined;

/** The security headers of every response. They are constant, so helmet runs only once. */
export function securityHeaders(): HeaderList {
  known ??= recordHeaders();
  return known;
}

function recordHeaders(): HeaderList {
  const headers: HeaderList = [];
  class Recorder extends ServerResponse {
    override setHeader(name: string, value: string) {
      headers.push(name, value);
      return this;
    }
  }
  const sample = new Recorder(new IncomingMessage(new Socket()));
  setHeaders(sample.req, sample, (error) => {
    if (error) throw error;
  });
  return headers;
}

/** The Content-Security-Policy of every response that has none of its own. */
export function contentSecurityPolicy(): string {
  const headers = securityHeaders();
  return headers[headers.findIndex((name) => name.toLowerCase() === 'content-security-policy') + 1] as string;
}
