import { type RequestHandler, Router } from 'express';
import { isVideo } from '#api/formats.ts';
import { scaledTo } from '#api/images/scaled.ts';
import type { Actor } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess } from '#server/core/images/access.ts';
import { type Links, titleOf } from '#server/core/images/links.ts';
import { isPreviewable } from '#server/core/images/preview.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { pageBrandOf } from '#server/core/settings/brand.ts';
import { viewerOf } from '#server/core/viewing/access-check.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { type PageHead, sendAppPage } from '#server/platform/http/pages/app-page.ts';

const PREVIEW_WIDTH = 960;

/** `GET /s/{key}`: the share page of the web application, with what chats need for a preview. */
export function sharePages({ db, imageIndex, links, settings, config }: Context): RequestHandler {
  const router = Router({ caseSensitive: true });
  router.get('/s/:key', async (request, response) => {
    const image = await imageIndex.find((request.params as { key: string }).key);
    const access = decideAccess(image, await viewerOf(db.read, response.locals.actor as Actor, image), Date.now());
    // A locked picture's page is the form that asks for the password.
    const status = access.allowed || access.code === 'password_required' ? 200 : refusalOf(access).status;
    const head = previewOf(image, links, settings.current().site_name);
    await sendAppPage(response, config.webRoot, { page: 'share', status, brand: pageBrandOf(settings.current()), head });
  });
  router.all('/s/:key', refuseMethod(READING));
  // The page asks before it deletes; its address is secret and must not be indexed.
  router.get('/delete/:key/:secret', (_request, response) =>
    sendAppPage(response, config.webRoot, { page: 'index', status: 200, brand: pageBrandOf(settings.current()) }),
  );
  return router;
}

function previewOf(image: ImageRow | undefined, links: Links, siteName: string): PageHead | undefined {
  if (!isPreviewable(image, Date.now())) return undefined;
  const title = titleOf(image);
  const { share_url } = links.of(image);
  return {
    title: `${title} · ${siteName}`,
    oembed: links.oembedOf(share_url),
    meta: [
      ['og:type', isVideo(image.ext) ? 'video.other' : 'website'],
      ['og:site_name', siteName],
      ['og:title', title],
      ['og:url', share_url],
      ['twitter:title', title],
      ...descriptionTags(image),
      ...imageTags(image, links),
      ...(isVideo(image.ext) ? videoTags(image, links) : []),
    ],
  };
}

/** The caption as one line, which is how previews show it. */
function descriptionTags({ caption }: ImageRow): PageHead['meta'] {
  if (caption === '') return [];
  const text = caption.replace(/\s+/g, ' ');
  return [
    ['og:description', text],
    ['twitter:description', text],
  ];
}

function imageTags(image: ImageRow, links: Links): PageHead['meta'] {
  const { width, height } = scaledTo(image, PREVIEW_WIDTH);
  const url = links.thumbnailOf(image, PREVIEW_WIDTH);
  const alt = image.alt || titleOf(image);
  return [
    ['og:image', url],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', String(width)],
    ['og:image:height', String(height)],
    ['og:image:alt', alt],
    ['twitter:card', 'summary_large_image'],
    ['twitter:image', url],
    ['twitter:image:alt', alt],
  ];
}

/** Beside the poster. */
function videoTags(image: ImageRow, links: Links): PageHead['meta'] {
  const { url } = links.of(image);
  return [
    ['og:video', url],
    ['og:video:type', image.mime],
    ['og:video:width', String(image.width)],
    ['og:video:height', String(image.height)],
  ];
}
