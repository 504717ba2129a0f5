import type { Request, Response } from 'express';
import { ORIGINAL_CSP } from '#server/platform/http/headers/content-policies.ts';
import { isUnchanged } from './headers/conditions.ts';

const YEAR = 365 * 24 * 60 * 60;

interface EmblemResponse {
  content: Buffer;
  mime: string;
  version: string;
  /** Whether the request names the version, so that the response stays the same. */
  isVersioned: boolean;
  /** Who may keep it: only the client, if not everyone may see it. */
  scope: 'public' | 'private';
}

/** Sends a logo or an avatar. */
export function sendEmblem(request: Request, response: Response, { content, mime, version, isVersioned, scope }: EmblemResponse): void {
  const etag = `"${version}"`;
  response.setHeader('Cache-Control', isVersioned ? `${scope}, max-age=${YEAR}, immutable` : `${scope}, no-cache`);
  response.setHeader('ETag', etag);
  response.setHeader('Content-Security-Policy', ORIGINAL_CSP);
  if (isUnchanged(request, { etag })) return void response.status(304).end();
  response.type(mime).send(content);
}
