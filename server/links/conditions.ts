import type { Request, Response } from 'express';

/**
 * Whether the caller has what the answer's `ETag` and `Last-Modified` describe, so that 304 is enough. `Cache-Control: no-cache`
 * in the request does not matter: it is an order to caches, and this is the origin that they ask.
 */
export function isUnchanged(request: Request, response: Response): boolean {
  const known = request.headers['if-none-match'];
  if (known !== undefined) return known.trim() === '*' || tagsOf(known).includes(String(response.getHeader('ETag')));
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return since >= Date.parse(String(response.getHeader('Last-Modified')));
}

/** Whether a range may be sent: only of the very bytes that the caller has the other part of. */
export function ifRangeMatches(request: Request, response: Response): boolean {
  const condition = request.headers['if-range'];
  return condition === undefined || condition === response.getHeader('ETag') || condition === response.getHeader('Last-Modified');
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
