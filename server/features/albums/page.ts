import { randomInt } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { scaledTo } from '#api/images/scaled.ts';
import type { Actor } from '#server/core/accounts/actor.ts';
import { openImages, type Visitor } from '#server/core/albums/open-images.ts';
import { findPreviewCover, isPreviewableAlbum } from '#server/core/albums/preview.ts';
import type { Context } from '#server/core/context.ts';
import type { Links } from '#server/core/images/links.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { pageBrandOf } from '#server/core/settings/brand.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { type PageHead, sendAppPage } from '#server/platform/http/pages/app-page.ts';
import { LOCKED, visitAlbum } from './public-albums.ts';

const PREVIEW_WIDTH = 960;

/** `GET /a/{id}`: the album page of the web application, with what chats need for a preview; `/a/{id}/random`: any of its pictures. */
export function albumPages(context: Context): RequestHandler {
  const { config, settings } = context;
  const brand = () => pageBrandOf(settings.current());
  const router = Router({ caseSensitive: true });
  router.get('/a/:id', async (request, response) => {
    try {
      const { id } = request.params as { id: string };
      const { album } = await visitAlbum(context, { id, actor: response.locals.actor as Actor, request });
      await sendAppPage(response, config.webRoot, { page: 'album', status: 200, brand: brand(), head: await previewOf(context, album) });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      await sendAppPage(response, config.webRoot, { page: 'album', status: error.status, brand: brand() });
    }
  });
  router.all('/a/:id', refuseMethod(READING));
  router.get('/a/:id/random', async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    const visit = await visitAlbum(context, { id: request.params.id, actor: response.locals.actor as Actor, request });
    if (visit.locked) throw new RequestError('password_required', LOCKED);
    const image = await randomImage(context.db.read, visit.album, visit.visitor);
    if (!image) throw new NotFoundError('There’s no picture in this album that you can open.');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.redirect(302, new URL(context.links.of(image).url).pathname);
  });
  router.all('/a/:id/random', refuseMethod(READING));
  return router;
}

async function previewOf(context: Context, album: AlbumRow): Promise<PageHead | undefined> {
  if (!isPreviewableAlbum(album, Date.now())) return undefined;
  const { links, settings } = context;
  const { name, description } = album;
  const siteName = settings.current().site_name;
  const url = links.albumOf(album);
  const cover = await findPreviewCover(context, album);
  return {
    title: `${name} · ${siteName}`,
    oembed: links.oembedOf(url),
    meta: [
      ['og:type', 'website'],
      ['og:site_name', siteName],
      ['og:title', name],
      ['og:url', url],
      ['twitter:title', name],
      ...describe(description),
      ...show(cover, links),
    ],
  };
}

type Tags = PageHead['meta'];

function describe(description: string): Tags {
  if (description === '') return [];
  return [
    ['og:description', description],
    ['twitter:description', description],
  ];
}

function show(cover: ImageRow | undefined, links: Links): Tags {
  if (!cover) return [['twitter:card', 'summary']];
  const { width, height } = scaledTo(cover, PREVIEW_WIDTH);
  const preview = links.thumbnailOf(cover, PREVIEW_WIDTH);
  return [
    ['og:image', preview],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', String(width)],
    ['og:image:height', String(height)],
    ['twitter:card', 'summary_large_image'],
    ['twitter:image', preview],
  ];
}

/** Entries that are tried before the choice is made among the newest pictures that open. */
const TRIES = 8;
const NEWEST = 500;

/** Any picture of an album that this visitor can open, each with the same chance where nearly all of them do; undefined: there is none. */
async function randomImage(queries: Queries, album: AlbumRow, visitor: Visitor): Promise<ImageRow | undefined> {
  const open = openImages(queries, album.id, visitor);
  const entries = queries.selectFrom('album_images').where('album_id', '=', album.id);
  const { count } = await entries.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  // Without the pictures, the index has all that is read.
  for (let tries = 0; tries < TRIES && Number(count) > NEWEST; tries += 1) {
    const entry = await entries
      .select('image_id')
      .orderBy('position')
      .limit(1)
      .offset(randomInt(Number(count)))
      .executeTakeFirst();
    const image = entry && (await open.selectAll('images').where('images.id', '=', entry.image_id).executeTakeFirst());
    if (image) return image;
  }
  const newest = await open.select('images.id').orderBy('position', 'desc').limit(NEWEST).execute();
  const chosen = newest.length === 0 ? undefined : newest[randomInt(newest.length)];
  return chosen && open.selectAll('images').where('images.id', '=', chosen.id).executeTakeFirst();
}
