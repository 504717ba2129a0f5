import type { Request } from 'express';

/** Identifies a version of a response: the values of the headers `ETag` and `Last-Modified`. */
export interface Validators {
  /** Absent: no condition on a tag is met. */
  etag: string | undefined;
  lastModified: string;
}

/**
 * Whether the client already has this version, so that a 304 is enough. `Cache-Control: no-cache` in the request is ignored:
 * it instructs caches, not the origin.
 */
export function isUnchanged({ headers }: Request, { etag, lastModified }: Pick<Validators, 'etag'> & Partial<Validators>): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known === etag || known.trim() === '*' || tagsOf(known).some((tag) => tag.replace(/^W\//, '') === etag);
  const since = headers['if-modified-since'];
  return since !== undefined && lastModified !== undefined && Date.parse(since) >= Date.parse(lastModified);
}

/** Whether the client accepts only versions that no longer exist: the response is then 412. */
export function isSuperseded({ headers }: Request, { etag, lastModified }: Validators): boolean {
  const accepted = headers['if-match'];
  // Compared strongly: a tag with W/ matches nothing.
  if (accepted !== undefined) return accepted.trim() !== '*' && (etag === undefined || !tagsOf(accepted).includes(etag));
  const since = headers['if-unmodified-since'];
  return since !== undefined && Date.parse(since) < Date.parse(lastModified);
}

/** Whether a range may be sent: only of the same version that the client already has a part of. */
export function ifRangeMatches({ headers }: Request, { etag, lastModified }: Validators): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}
