import type { Server } from 'node:http';
import type { Request, Response } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

const BEGAN = Symbol('began');

interface Measured extends Response {
  /** Milliseconds of the process's clock. */
  [BEGAN]: number;
}

/** Measures every request of a server whose application is Express. */
export function measureRequests(server: Server, metrics: Metrics): void {
  // One function for all requests: a closure for each would be a noticeable part of the cost of the smallest.
  function note(this: Measured) {
    const status = this.writableFinished ? `${Math.floor(this.statusCode / 100)}xx` : 'aborted';
    const method = METHODS.has(this.req.method) ? this.req.method : 'other';
    metrics.request({ method, route: routeOf(this.req), status, seconds: (performance.now() - this[BEGAN]) / 1000 });
  }
  // First, before the application has done its work.
  server.prependListener('request', (_request: Request, response: Measured) => {
    response[BEGAN] = performance.now();
    response.on('close', note);
  });
}

/** The pattern of the route; `other` for files of the web application and addresses that don't exist. */
function routeOf(request: Request): string {
  const path: unknown = request.route?.path;
  if (typeof path !== 'string') return 'other';
  // A router's patterns don't include where it is mounted.
  return request.originalUrl?.startsWith(`${API_PREFIX}/`) ? `${API_PREFIX}${path}` : path;
}
