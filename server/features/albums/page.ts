import { type RequestHandler, Router } from 'express';
import type { Context } from '#server/core/context.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';
import { type PageHead, sendAppPage } from '#server/platform/http/app-page.ts';
import { findOpenCover } from './open-images.ts';
import { visitAlbum } from './public-albums.ts';

const PREVIEW_WIDTH = 960;

/** `GET /a/{id}`: the album page of the web application, with what chats need for a preview. */
export function albumPages(context: Context): RequestHandler {
  const { config } = context;
  const router = Router({ caseSensitive: true });
  router.get('/a/:id', async (request, response) => {
    try {
      const { album } = await visitAlbum(context, (request.params as { id: string }).id, request, response);
      await sendAppPage(response, config.webRoot, 'index', 200, await previewOf(context, album));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      await sendAppPage(response, config.webRoot, 'index', error.status);
    }
  });
  router.all('/a/:id', refuseMethod(READING));
  return router;
}

/** Shows only what anyone may see, since other servers store previews and show them to everyone. */
async function previewOf({ db, links, settings }: Context, album: AlbumRow): Promise<PageHead | undefined> {
  if (album.visibility === 'private' || album.password_hash !== null) return undefined;
  const { name, description } = album;
  const siteName = settings.current().site_name;
  const cover = await findOpenCover(db.read, album, { trusted: false, unlocked: [] });
  const image = cover && links.thumbnailOf({ key: cover }, PREVIEW_WIDTH);
  const tags: (false | '' | undefined | [string, string])[] = [
    ['og:type', 'website'],
    ['og:site_name', siteName],
    ['og:title', name],
    ['og:url', links.albumOf(album)],
    ['twitter:title', name],
    ['twitter:card', image ? 'summary_large_image' : 'summary'],
    description !== '' && ['og:description', description],
    description !== '' && ['twitter:description', description],
    image && ['og:image', image],
    image && ['twitter:image', image],
  ];
  return { title: `${name} · ${siteName}`, meta: tags.filter((tag) => Array.isArray(tag)) };
}
