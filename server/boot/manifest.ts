import type { RequestHandler } from 'express';
import { deriveAccent } from '#api/accent.ts';
import type { Context } from '#server/core/context.ts';
import { pageBrandOf } from '#server/core/settings/brand.ts';

/** The icons in `renderer/public/icons`. The maskable one fills its square, so that systems can cut their own shape out of it. */
const ICONS = [
  { src: '/icons/192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

/** `GET /manifest.webmanifest`: lets browsers on a secure address install the web application under the site's name. */
export function manifestHandler({ settings }: Pick<Context, 'settings'>): RequestHandler {
  return (_request, response) => {
    const { site_name, accent_color } = settings.current();
    const { icons } = pageBrandOf(settings.current());
    const color = accent_color ? deriveAccent(accent_color).light.fill : '#125d69';
    response.setHeader('Cache-Control', 'no-cache');
    response.type('application/manifest+json').send(
      JSON.stringify({
        id: '/',
        name: site_name,
        short_name: site_name,
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: icons ? '#ffffff' : color,
        theme_color: color,
        icons: icons ? [{ src: icons.tile, sizes: '192x192', type: 'image/png', purpose: 'any maskable' }] : ICONS,
      }),
    );
  };
}
