import { randomInt } from 'node:crypto';
import { isVideo } from '#api/formats.ts';
import type { ImageLinks } from '#api/images/images.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { escapeHtml } from '#server/platform/http/pages/html.ts';

type Deletable = Pick<ImageRow, 'key' | 'deletion_nonce'>;
type Linked = Pick<ImageRow, 'key' | 'slug' | 'ext' | 'name' | 'title' | 'alt' | 'max_views'>;

/** Builds absolute links. They start with the link address, never with a request's `Host`. */
export interface Links {
  /** The link address: an origin without a trailing slash. */
  address(): string;
  /** The configured base URL, if any. */
  configuredBaseUrl(): string | undefined;
  of(image: Linked): ImageLinks;
  /** @param width one of the allowed widths; the default one if absent */
  thumbnailOf(image: Pick<ImageRow, 'key'>, width?: number): string;
  albumOf(album: { id: string }): string;
  /** The page of a request link; `path` continues it. */
  requestOf(link: { id: string }, path?: string): string;
  /** Describes to other sites how to embed the page at `url`. */
  oembedOf(url: string): string;
  /** A page that asks before it deletes; only the uploader may see this link. */
  deletionOf(image: Deletable): string;
}

interface LinkSources {
  configuredBaseUrl(): string | undefined;
  /** The address on the network or on this machine, once the port is known. */
  ownAddress(): string;
  secrets: Secrets;
}

export function createLinks({ configuredBaseUrl, ownAddress, secrets }: LinkSources): Links {
  const address = () => configuredBaseUrl() ?? ownAddress();
  return {
    address,
    configuredBaseUrl,
    of: (image) => linksOf(address(), image),
    thumbnailOf: ({ key }, width) => `${address()}/t/${key}.jpg${width === undefined ? '' : `?w=${width}`}`,
    albumOf: ({ id }) => `${address()}/a/${id}`,
    requestOf: ({ id }, path = '') => `${address()}/r/${id}${path}`,
    oembedOf: (url) => `${address()}/oembed?url=${encodeURIComponent(url)}`,
    deletionOf: (image) => `${address()}/delete/${image.key}/${deletionSecret(secrets, image)}`,
  };
}

/** Proves that a client has uploaded an image, for deleting without an account, until the image gets another nonce. */
export function deletionSecret(secrets: Secrets, { key, deletion_nonce: nonce }: Deletable): string {
  // Links that were made before nonces existed stay valid.
  return secrets.sign('delete', nonce === 0 ? key : `${key} ${nonce}`).slice(0, 22);
}

/** Ends the deletion links of all images of a user, even those in the trash, in a unit of writing. The caller must clear the image index afterwards. */
export async function renewDeletionLinks(queries: Queries, ownerId: number): Promise<void> {
  await queries
    .updateTable('images')
    .set((row) => ({ deletion_nonce: row('deletion_nonce', '+', 1) }))
    .where('owner_id', '=', ownerId)
    .execute();
}

/** Ends all deletion links. For a restore: the backup doesn't know which were renewed since, or to what, so a random number replaces the count. */
export async function renewAllDeletionLinks(queries: Queries): Promise<void> {
  await queries
    .updateTable('images')
    .set({ deletion_nonce: randomInt(2 ** 47) })
    .execute();
}

/** Of the picture that a page shows until its video is played, in pixels. */
const VIDEO_POSTER_WIDTH = 960;

function linksOf(address: string, image: Linked): ImageLinks {
  const { ext, max_views } = image;
  const place = image.slug ?? image.key;
  const direct = `${address}/i/${place}.${ext}`;
  const share = `${address}/s/${place}`;
  const thumbnail = `${address}/t/${place}.jpg`;
  const links = { url: direct, thumbnail_url: thumbnail, share_url: share };
  // Embedding a view-limited picture would use up its views, so its links lead to the share page.
  if (max_views > 0) {
    const text = titleOf(image);
    return {
      ...links,
      markdown: `[${escapeMarkdown(text)}](${share})`,
      html: `<a href="${share}">${escapeHtml(text)}</a>`,
      bbcode: `[url]${share}[/url]`,
    };
  }
  const text = image.alt || titleOf(image);
  if (isVideo(ext))
    return {
      ...links,
      markdown: `[![${escapeMarkdown(text)}](${thumbnail})](${direct})`,
      html: `<video src="${direct}" poster="${thumbnail}?w=${VIDEO_POSTER_WIDTH}" controls playsinline preload="metadata" aria-label="${escapeHtml(text)}"></video>`,
      bbcode: `[url=${direct}][img]${thumbnail}[/img][/url]`,
    };
  return {
    ...links,
    markdown: `![${escapeMarkdown(text)}](${direct})`,
    html: `<img src="${direct}" alt="${escapeHtml(text)}">`,
    bbcode: `[img]${direct}[/img]`,
  };
}

/** What an image is called where people read it. */
export const titleOf = ({ title, name }: Pick<ImageRow, 'title' | 'name'>) => title || name;

/** Names and descriptions are user input: they must not close the brackets around them, start a line or become an entity. */
function escapeMarkdown(text: string) {
  return text.replace(/[\\[\]`<>!*_&~|]/g, '\\$&').replace(/\s+/g, ' ');
}
