import { type RequestHandler, Router } from 'express';
import type { Actor } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld, STRANGER } from '#server/core/images/access.ts';
import { type Links, titleOf } from '#server/core/images/links.ts';
import { READING, refuseMethod } from '#server/core/routes.ts';
import { viewerOf } from '#server/core/viewing/access-check.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { type PageHead, sendAppPage } from '#server/platform/http/app-page.ts';

const PREVIEW_WIDTH = 960;

/** `GET /s/{key}`: the share page of the web application, with what chats need for a preview. */
export function sharePages({ imageIndex, links, settings, config }: Context): RequestHandler {
  const router = Router({ caseSensitive: true });
  router.get('/s/:key', async (request, response) => {
    const image = await imageIndex.find((request.params as { key: string }).key);
    const access = decideAccess(image, viewerOf(response.locals.actor as Actor, image), Date.now());
    // A locked picture's page is the form that asks for the password.
    const status = access.allowed || access.code === 'password_required' ? 200 : refusalOf(access).status;
    await sendAppPage(response, config.webRoot, 'share', status, previewOf(image, links, settings.current().site_name));
  });
  router.all('/s/:key', refuseMethod(READING));
  // The page asks before it deletes; its address is secret and must not be indexed.
  router.get('/delete/:key/:secret', (_request, response) => sendAppPage(response, config.webRoot, 'index', 200));
  return router;
}

/** Shows only what anyone may see, since other servers store previews and show them to everyone. */
function previewOf(image: ImageRow | undefined, links: Links, siteName: string): PageHead | undefined {
  if (!image || !decideAccess(image, STRANGER, Date.now()).allowed) return undefined;
  const title = titleOf(image);
  return {
    title: `${title} · ${siteName}`,
    meta: [
      ['og:type', 'website'],
      ['og:site_name', siteName],
      ['og:title', title],
      ['og:url', links.of(image).share_url],
      ['twitter:title', title],
      ...descriptionTags(image),
      ...(isWithheld(image) ? WITHOUT_IMAGE : imageTags(image, links)),
    ],
  };
}

const WITHOUT_IMAGE: PageHead['meta'] = [['twitter:card', 'summary']];

/** The caption as one line, which is how previews show it. */
function descriptionTags({ caption }: ImageRow): PageHead['meta'] {
  if (caption === '') return [];
  const text = caption.replace(/\s+/g, ' ');
  return [
    ['og:description', text],
    ['twitter:description', text],
  ];
}

function imageTags({ key, name, title, alt, width, height }: ImageRow, links: Links): PageHead['meta'] {
  const scale = Math.min(1, PREVIEW_WIDTH / Math.max(width, height));
  const url = links.thumbnailOf({ key }, PREVIEW_WIDTH);
  return [
    ['og:image', url],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', String(Math.max(1, Math.round(width * scale)))],
    ['og:image:height', String(Math.max(1, Math.round(height * scale)))],
    ['og:image:alt', alt || titleOf({ name, title })],
    ['twitter:card', 'summary_large_image'],
    ['twitter:image', url],
  ];
}
