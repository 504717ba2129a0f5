import type { Client } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { isLoopbackHost } from '#api/desktop/listening.ts';
import { slugProblem, toSlug } from '#api/images/slug-rules.ts';
import { getShare } from '#api/sharing/shares.ts';
import { CommandError, UsageError } from './errors.ts';

/** A picture as the user names it: by its key, its custom address, or a link. */
export interface PictureReference {
  /** As it was typed. */
  text: string;
  /** The key, or the custom address. */
  place: string;
  /** The server of the link. */
  origin: string | undefined;
}

const KEY = /^[0-9A-Za-z]{12}$/;
/** The end of a link, or a key with the ending of a direct link. */
const LINK_PATH = /^(?:\/?[its]\/([^/.]+)(?:\.[a-z0-9]+)?|([0-9A-Za-z]{12})\.[a-z0-9]+)$/i;
/** Direct link, thumbnail, share page and deletion link. */
const LINK = /^\/(?:[its]\/([^/.]+)(?:\.[a-z0-9]+)?|delete\/([^/]+)\/[^/]+)\/?$/i;

/** @throws UsageError if the text can't name a picture */
export function parseReference(text: string): PictureReference {
  const typed = text.trim();
  const url = /^https?:\/\//i.test(typed) ? URL.parse(typed) : undefined;
  const [, ofLink, ofKey] = LINK_PATH.exec(typed) ?? [];
  const place = url ? placeIn(url) : placeOf(ofLink ?? ofKey ?? typed);
  if (place === undefined)
    throw new UsageError(
      `${JSON.stringify(text)} isn’t a picture. Give its key, such as b7Rk2mQx9LpT, its custom address, or one of its links.`,
    );
  return { text: typed, place, origin: url?.origin };
}

function placeIn({ pathname, searchParams }: URL): string | undefined {
  const [, ofLink, ofDeletion] = LINK.exec(pathname) ?? [];
  // The address of a picture in the gallery.
  return placeOf(ofLink ?? ofDeletion ?? searchParams.get('picture') ?? '');
}

function placeOf(text: string): string | undefined {
  if (KEY.test(text)) return text;
  const slug = toSlug(text);
  return slugProblem(slug) === undefined ? slug : undefined;
}

/**
 * Refuses links to other servers, before anything is sent anywhere else than to the client's own server.
 * @throws UsageError
 */
export async function requireOwnLinks(client: Client, references: readonly PictureReference[], signal?: AbortSignal): Promise<void> {
  const elsewhere = references.filter(({ origin }) => origin !== undefined && !isSameServer(origin, client.baseUrl));
  if (elsewhere.length === 0) return;
  // Its links start with this address, which may not be the one that it is reached by.
  const { base_url } = await client.call(getConfig, signal ? { signal } : {});
  const other = elsewhere.find(({ origin }) => !isSameServer(origin ?? '', base_url));
  if (other)
    throw new UsageError(
      `${other.text} is on another server. This command uses ${client.baseUrl}, and nothing was sent to ${other.origin}.`,
    );
}

/** The key of a picture that the client may see. @throws CommandError if there is none, ApiError like the client */
export async function keyOf(client: Client, { place }: PictureReference, signal?: AbortSignal): Promise<string> {
  if (KEY.test(place)) return place;
  const share = await client.call(getShare, { params: { key: place }, ...(signal && { signal }) });
  if (KEY.test(share.key)) return share.key;
  throw new CommandError(`The server’s response about ${place} has no key.`);
}

/** The same, once it is certain that the picture isn't on another server. */
export async function findKey(client: Client, reference: PictureReference, signal?: AbortSignal): Promise<string> {
  await requireOwnLinks(client, [reference], signal);
  return keyOf(client, reference, signal);
}

/** Whether two addresses lead to the same server: this computer has several names for itself. */
function isSameServer(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  if (first.origin === second.origin) return true;
  const isHere = isLoopbackHost(first.hostname) && isLoopbackHost(second.hostname);
  return isHere && first.port === second.port && first.protocol === second.protocol;
}
