import type { Server } from 'node:http';
import type { Request, Response } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Measures every request of a server whose application is Express. */
export function measureRequests(server: Server, metrics: Metrics): void {
  // First, before the application has done its work.
  server.prependListener('request', (request: Request, response: Response) => {
    const from = performance.now();
    response.once('close', () => {
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
      const method = METHODS.has(request.method) ? request.method : 'other';
      metrics.request({ method, route: routeOf(request), status, seconds: (performance.now() - from) / 1000 });
    });
  });
}

/** The pattern of the route; `other` for files of the web application and addresses that don't exist. */
function routeOf(request: Request): string {
  const path: unknown = request.route?.path;
  if (typeof path !== 'string') return 'other';
  // A router's patterns don't include where it is mounted.
  return request.originalUrl?.startsWith(`${API_PREFIX}/`) ? `${API_PREFIX}${path}` : path;
}
