import { createHash } from 'node:crypto';
import { accentCss, deriveAccent } from '#api/accent.ts';
import type { Branding, SitePicture } from '#api/branding.ts';
import { API_PREFIX } from '#api/constants.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { PageBrand } from '#server/platform/http/pages/brand.ts';
import { DEFAULT_SITE_NAME, type Settings } from './settings.ts';

const urlOf = (name: SitePicture, version: string) => `${API_PREFIX}/branding/${name}?v=${version}`;

/** A site's logo and accent colour, as clients receive them. */
export function presentBranding({ accent_color, logo }: Settings): Branding {
  if (!logo) return { accent_color, logo };
  const { version, width, height, plate } = logo;
  return { accent_color, logo: { url: urlOf('logo', version), width, height, plate } };
}

const brands = new WeakMap<Settings, PageBrand>();

/** What pages contain of it when they are sent, so that they never show the default first. */
export function pageBrandOf(settings: Settings): PageBrand {
  const known = brands.get(settings);
  if (known) return known;
  const { site_name, accent_color, logo } = settings;
  const brand: PageBrand = {
    name: site_name,
    accent: accent_color === null ? null : deriveAccent(accent_color),
    style: accent_color ? accentCss(accent_color) : '',
    data: logo || site_name !== DEFAULT_SITE_NAME ? JSON.stringify({ site_name, logo: presentBranding(settings).logo }) : '',
    icons: logo && { icon: urlOf('icon', logo.version), tile: urlOf('tile', logo.version) },
  };
  brands.set(settings, brand);
  return brand;
}

/** Stores the pictures of a logo in place of the earlier ones. */
export async function storeSitePictures(queries: Queries, pictures: Record<SitePicture, Uint8Array>): Promise<void> {
  await removeSitePictures(queries);
  const rows = Object.entries(pictures).map(([name, picture]) => ({ name, content: Buffer.from(picture).toString('base64') }));
  await queries.insertInto('site_pictures').values(rows).execute();
}

export async function removeSitePictures(queries: Queries): Promise<void> {
  await queries.deleteFrom('site_pictures').execute();
}

/** The version of a logo: the same picture always has the same address. */
export const versionOf = (picture: Uint8Array) => createHash('sha256').update(picture).digest('base64url').slice(0, 22);

export async function readSitePicture(queries: Queries, name: SitePicture): Promise<Buffer | undefined> {
  const row = await queries.selectFrom('site_pictures').select('content').where('name', '=', name).executeTakeFirst();
  return row && Buffer.from(row.content, 'base64');
}
