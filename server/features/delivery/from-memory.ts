import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isPubliclyCacheable, STRANGER } from '#server/core/images/access.ts';
import { referrerHost } from '#server/core/viewing/referrer-host.ts';
import { countsAsView } from '#server/core/viewing/views.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { isUnchanged } from '#server/platform/http/headers/conditions.ts';
import { type HeaderList, missingIn, writeWholeHead } from '#server/platform/http/headers/default-headers.ts';
import { closingHeader } from '#server/platform/http/limits/keep-alive.ts';
import { cachingHeadOf } from './cache-control.ts';
import { limitsSites } from './hotlinks.ts';
import { hasExt, ORIGINAL_PATH } from './original.ts';
import { type OriginalHead, originalHead } from './original-head.ts';

/** Sends a response if it can; false: the application must. */
type Shortcut = (request: Request, response: Response) => boolean;

/** The headers that follow from an image's row. */
interface KnownHead extends OriginalHead {
  /** The security headers that an original doesn't replace. */
  end: HeaderList;
}

const ROUTE = { path: ORIGINAL_PATH };

const LINK = /^\/i\/([0-9A-Za-z]{12})\.([a-z0-9]+)(?:\?v=([0-9a-f]+))?$/;
const NO_LINK: string[] = [];

/**
 * Sends public originals that are in memory, before the application sees the request, with the functions that the route
 * uses (decision 089). Everything else is left to the route: whatever may be refused, and callers who may be signed in.
 * @param isOwnHost the rule of the Host check
 * @param security the headers of every response
 */
export function originalsFromMemory(
  { imageIndex, policies, settings, blobs, views }: Context,
  isOwnHost: (request: Request) => boolean,
  security: HeaderList,
): Shortcut {
  const heads = new WeakMap<ImageRow, KnownHead>();

  function headOf(image: ImageRow): KnownHead {
    const known = heads.get(image);
    if (known) return known;
    const head = originalHead(image);
    const whole = { ...head, end: missingIn(head.inline, security) };
    heads.set(image, whole);
    return whole;
  }

  return (request, response) => {
    const [, key, ext, version] = (isPlain(request) && LINK.exec(request.url)) || NO_LINK;
    if (key === undefined || ext === undefined || !isOwnHost(request) || limitsSites(settings)) return false;
    const image = imageIndex.peek(key);
    if (!image || !hasExt(image, ext) || !isPubliclyCacheable(image)) return false;
    const access = decideAccess(image, STRANGER, Date.now());
    if (!access.allowed) return false;
    const policy = policies.peek(image.policy_id);
    const bytes = blobs.peek({ policyId: image.policy_id, sha256: image.sha256 });
    if (!policy || !bytes) return false;

    request.route = ROUTE;
    const known = headOf(image);
    const isKnown = isUnchanged(request, known);
    const caching = cachingHeadOf(image, { seconds: policy.cache_seconds, isLimited: false }, version);
    const length = isKnown ? [] : ['Content-Length', String(bytes.length)];
    const own = ['X-Request-Id', randomUUID(), ...closingHeader(request)];
    const head = [...known.inline, ...caching, ...length, ...own, ...known.end];
    if (isKnown) writeWholeHead(response, 304, head).end();
    else {
      if (countsAsView(request, access, image)) views.count(image, referrerHost(request));
      writeWholeHead(response, 200, head).end(bytes);
    }
    return true;
  };
}

/** Whether a request is for a whole picture by a guest. */
function isPlain({ method, headers }: Request): boolean {
  return (
    method === 'GET' &&
    headers.authorization === undefined &&
    headers.cookie === undefined &&
    headers.range === undefined &&
    headers['if-match'] === undefined &&
    headers['if-unmodified-since'] === undefined
  );
}
