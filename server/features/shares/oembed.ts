import { type RequestHandler, Router } from 'express';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { isVideo, SERVED_EXTS } from '#api/formats.ts';
import { scaledTo } from '#api/images/scaled.ts';
import { type Embed, oembedQuery } from '#api/sharing/oembed.ts';
import { hostName, plainPath } from '#api/url-forms.ts';
import { ALBUM_EXPIRED, findAlbum, isAlbumExpired } from '#server/core/albums/albums.ts';
import { findPreviewCover, isPreviewableAlbum } from '#server/core/albums/preview.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, STRANGER } from '#server/core/images/access.ts';
import { type Links, titleOf } from '#server/core/images/links.ts';
import { isPreviewable } from '#server/core/images/preview.ts';
import { parsePart, READING, refuseMethod } from '#server/core/routes.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

/** As long as a public link may be cached by default, so that other sites soon follow a change of access. */
const CACHE_SECONDS = 300;
const THUMBNAIL_WIDTH = 400;

/** `GET /oembed`: how other sites embed a share page, a direct link or a public album. It reveals to everyone what it reveals to strangers. */
export function oembedPages(context: Context): RequestHandler {
  const { links, settings, imageIndex, ownHosts } = context;
  const router = Router({ caseSensitive: true });
  router.get('/oembed', async (request, response) => {
    const { url, maxwidth = Infinity, maxheight = Infinity } = parsePart(oembedQuery, request.query);
    const { site_name } = settings.current();
    const target = parseTarget(url, [hostName(request.hostname), ...ownHosts()]);
    const about = { version: '1.0', provider_name: site_name, provider_url: `${links.address()}/` } as const;
    response.setHeader('Cache-Control', 'no-store');
    if (target.kind === 'album') return void response.json({ ...about, ...(await embedAlbum(context, target.id)) } satisfies Embed);
    const image = requireOpen(await imageIndex.find(target.id));
    response.json({ ...about, ...embedImage(image, links, { width: maxwidth, height: maxheight }) } satisfies Embed);
  });
  router.all('/oembed', refuseMethod(READING));
  return router;
}

interface Target {
  kind: 'image' | 'album';
  id: string;
}

/** @throws NotFoundError for an address that isn't one of this site's links */
function parseTarget(url: string, hosts: string[]): Target {
  const { protocol, hostname = '', pathname = '' } = URL.parse(url) ?? {};
  const [, kind, id] = /^\/([sia])\/([\w-]+)(?:\.\w+)?\/?$/.exec(plainPath(pathname)) ?? [];
  if (!id || !hosts.includes(hostName(hostname)) || !/^https?:$/.test(protocol ?? ''))
    throw new NotFoundError('This isn’t a link to a picture or album on this site.');
  return { kind: kind === 'a' ? 'album' : 'image', id };
}

/** @throws RequestError as a stranger's request for the image would get */
function requireOpen(image: ImageRow | undefined): ImageRow {
  const access = decideAccess(image, STRANGER, Date.now());
  if (!image || !access.allowed) throw refusalOf(access.allowed ? { code: 'not_found' } : access);
  return image;
}

interface Box {
  width: number;
  height: number;
}

/** Seconds for which a response about something that may expire can be cached. */
function cacheAge({ expires_at }: { expires_at: number | null }): number {
  const left = expires_at === null ? CACHE_SECONDS : Math.floor((expires_at - Date.now()) / 1000);
  return Math.max(0, Math.min(CACHE_SECONDS, left));
}

type Details = Omit<Embed, 'version' | 'provider_name' | 'provider_url'>;

function embedImage(image: ImageRow, links: Links, box: Box): Details {
  const cache_age = cacheAge(image);
  if (!isPreviewable(image, Date.now())) return { type: 'link', cache_age };
  if (isVideo(image.ext)) return embedVideo(image, links, box);
  const photo = sizesOf(image, links).find(({ width, height }) => width <= box.width && height <= box.height);
  return { type: 'link', cache_age, title: titleOf(image), ...(photo && { type: 'photo', ...photo }), ...thumbnailIn(image, links, box) };
}

function embedVideo(image: ImageRow, links: Links, box: Box): Details {
  const scale = Math.min(1, box.width / image.width, box.height / image.height);
  const { width, height } = scaledTo(image, Math.max(image.width, image.height) * scale);
  const html = links.of(image).html.replace('<video ', `<video width="${width}" height="${height}" `);
  return { type: 'video', cache_age: cacheAge(image), title: titleOf(image), html, width, height, ...thumbnailIn(image, links, box) };
}

/** An image's versions from the largest. What pages can't show in an `<img>` is embedded by its thumbnails. */
function sizesOf(image: ImageRow, links: Links): (Box & { url: string })[] {
  const { width, height } = image;
  const thumbnails = THUMBNAIL_WIDTHS.toReversed().map((side) => ({ url: links.thumbnailOf(image, side), ...scaledTo(image, side) }));
  const isShown = SERVED_EXTS.some((ext) => ext === image.ext);
  return isShown ? [{ url: links.of(image).url, width, height }, ...thumbnails] : thumbnails;
}

function thumbnailIn(image: ImageRow, links: Links, box: Box) {
  const side = THUMBNAIL_WIDTHS.findLast((side) => {
    const { width, height } = scaledTo(image, side);
    return side <= THUMBNAIL_WIDTH && width <= box.width && height <= box.height;
  });
  if (side === undefined) return undefined;
  const { width, height } = scaledTo(image, side);
  return { thumbnail_url: links.thumbnailOf(image, side), thumbnail_width: width, thumbnail_height: height };
}

async function embedAlbum(context: Context, id: string): Promise<Details> {
  const album = await findAlbum(context.db.read, id);
  if (!album || album.visibility === 'private') throw new NotFoundError('This album doesn’t exist. It may have been deleted.');
  const now = Date.now();
  if (isAlbumExpired(album, now)) throw new RequestError('expired', ALBUM_EXPIRED);
  if (!isPreviewableAlbum(album, now)) throw new RequestError('password_required', 'This album is password-protected.');
  const cover = await findPreviewCover(context, album);
  const box = { width: THUMBNAIL_WIDTH, height: THUMBNAIL_WIDTH };
  return { type: 'link', cache_age: cacheAge(album), title: album.name, ...(cover && thumbnailIn(cover, context.links, box)) };
}
