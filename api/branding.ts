import { z } from 'zod';
import { COLOR } from './accent.ts';
import { asSent, route } from './contract.ts';
import { anyOf } from './formats.ts';

const siteLogo = z.object({
  url: z.string().meta({ description: 'Path on this server; it changes with the logo' }),
  width: z.int().min(1),
  height: z.int().min(1),
  plate: z
    .array(z.enum(['light', 'dark']))
    .meta({ description: 'The themes in which the logo needs a background of its own to be seen: white in `dark`, dark in `light`' }),
});

/** A chosen accent colour. */
export const accentColor = z
  .string()
  .trim()
  .toLowerCase()
  .regex(COLOR, 'it isn’t a colour such as #125d69')
  .meta({ description: 'Such as `#125d69`. Pages show shades of it that are readable in both themes', examples: ['#125d69'] });

/** What pages look like. */
export const branding = z.object({
  accent_color: z
    .string()
    .nullable()
    .meta({ description: 'The chosen accent colour; null: the default. Pages derive readable shades from it' }),
  logo: siteLogo.nullable().meta({ description: "Null: Pixdock's own" }),
});
export type Branding = z.infer<typeof branding>;

/** What a form with a logo can also change. */
export const logoFields = z.object({
  accent_color: accentColor
    .or(z.literal(''))
    .optional()
    .meta({ description: 'Also changes the accent colour; empty: the default. If the logo is refused, nothing changes' }),
});

export const putLogo = route({
  method: 'PUT',
  path: '/admin/branding/logo',
  access: 'admin',
  summary: `Set the logo of the site: a ${anyOf('logo')} of at most 5 MB (SVG: 256 KB), not animated`,
  multipart: true,
  body: logoFields,
  data: branding,
  errors: ['damaged_image', 'image_too_large', 'ext_not_allowed', 'file_too_large', 'unsupported_media_type', 'storage_full', 'cross_site'],
});

export const deleteLogo = route({
  method: 'DELETE',
  path: '/admin/branding/logo',
  access: 'admin',
  summary: 'Show the default logo again',
  data: branding,
  errors: ['cross_site'],
});

/** The versions of a logo: as it is shown, 64 pixels for browser tabs, and 192 pixels on white for home screens. */
export const sitePicture = z.enum(['logo', 'icon', 'tile']);
export type SitePicture = z.infer<typeof sitePicture>;

export const getSitePicture = route({
  method: 'GET',
  path: '/branding/:name',
  access: 'open',
  summary: 'Get the logo of the site (WebP or SVG), or an icon made from it (PNG)',
  params: z.object({ name: sitePicture }),
  query: z.object({
    v: asSent(64).optional().meta({ description: 'The version, which allows caching; the current one is returned in any case' }),
  }),
  binary: 'image/*',
  errors: ['not_found'],
});
