import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Headers on every answer. Helmet's defaults assume https: HSTS and upgrade-insecure-requests would break the plain
 * http address on the LAN, and its resource policy would break pictures shown on other sites (/i and /t set their own).
 */
export function securityHeaders(): RequestHandler {
  return helmet({
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
}
