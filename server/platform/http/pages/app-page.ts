import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Response } from 'express';
import { contentSecurityPolicy } from '#server/platform/http/headers/security-headers.ts';
import { type PageBrand, withBrand } from './brand.ts';
import { escapeHtml } from './html.ts';
/** The pages of the built web application: the application itself, and the light pages for visitors. */
export type AppPage = 'index' | 'share' | 'album' | 'guest' | 'entry' | 'request';

/** Metadata for programs that read only a page's head, such as chats that show previews. */
export interface PageHead {
  title: string;
  /** Open Graph properties (`og:…`) and Twitter names (`twitter:…`) with their contents. */
  meta: [name: string, content: string][];
  /** The address that describes to other sites how to embed the page (oembed.com). */
  oembed: string;
}

/** The HTML of a page with the site's looks, and its Content-Security-Policy. */
export async function readAppPage(webRoot: string, page: AppPage, brand: PageBrand): Promise<{ html: string; policy: string }> {
  const built = await readFile(join(webRoot, `${page}.html`), 'utf8');
  return { html: withBrand(built, brand), policy: policyOf(built) };
}

interface SentPage {
  page: AppPage;
  status: number;
  brand: PageBrand;
  /** Without it, the page reveals nothing about its content. */
  head?: PageHead | undefined;
}

/** Sends the web application's page for something shared; search engines must not index it. */
export async function sendAppPage(response: Response, webRoot: string, { page, status, brand, head }: SentPage): Promise<void> {
  const { html, policy } = await readAppPage(webRoot, page, brand);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Robots-Tag', 'noindex');
  response.status(status).type('html').send(withHead(html, head));
}

/** Replaces with functions, since `$` is special in replacement strings. */
function withHead(page: string, head: PageHead | undefined): string {
  const titled = head ? page.replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(head.title)}</title>`) : page;
  const tags = ['<meta name="robots" content="noindex">', ...(head?.meta ?? []).map(toTag)];
  if (head)
    tags.push(`<link rel="alternate" type="application/json+oembed" href="${escapeHtml(head.oembed)}" title="${escapeHtml(head.title)}">`);
  return titled.replace('</head>', () => `${tags.join('\n')}\n</head>`);
}

function toTag([name, content]: [string, string]): string {
  const attribute = name.startsWith('og:') ? 'property' : 'name';
  return `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}">`;
}

const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

/**
 * The Content-Security-Policy of a page as it was built: that of all responses, and the hash of the script that the build has written into the
 * page. Never call this with a page that something has been added to: the policy would allow whatever that is.
 */
function policyOf(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return contentSecurityPolicy().replace("script-src 'self'", () => ["script-src 'self'", ...hashes].join(' '));
}
