import type { Request } from 'express';

/** What tells one version of an answer from another: the values of the headers `ETag` and `Last-Modified`. */
export interface Validators {
  etag: string;
  lastModified: string;
}

/**
 * Whether the caller has what the validators describe, so that 304 is enough. `Cache-Control: no-cache` in the request
 * does not matter: it is an order to caches, and this is the origin that they ask.
 */
export function isUnchanged({ headers }: Request, { etag, lastModified }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known === etag || known.trim() === '*' || tagsOf(known).some((tag) => tag.replace(/^W\//, '') === etag);
  const since = headers['if-modified-since'];
  return since !== undefined && Date.parse(since) >= Date.parse(lastModified);
}

/** Whether the caller asks for an earlier or another version only, which is not there: the answer is then 412. */
export function isSuperseded({ headers }: Request, { etag, lastModified }: Validators): boolean {
  const wanted = headers['if-match'];
  // Compared strongly: a tag with W/ matches nothing.
  if (wanted !== undefined) return wanted.trim() !== '*' && !tagsOf(wanted).includes(etag);
  const since = headers['if-unmodified-since'];
  return since !== undefined && Date.parse(since) < Date.parse(lastModified);
}

/** Whether a range may be sent: only of the very bytes that the caller has the other part of. */
export function ifRangeMatches({ headers }: Request, { etag, lastModified }: Validators): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}
