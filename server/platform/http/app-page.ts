import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Response } from 'express';
import { escapeHtml } from './html.ts';

/** What programs that read only a page's head learn: search engines, chats that show a preview. */
export interface PageHead {
  title: string;
  /** Open Graph properties (`og:…`) and Twitter names (`twitter:…`) with their contents. */
  meta: [name: string, content: string][];
}

/**
 * Sends the web application's page for something that people share; never to be indexed.
 * @param head absent: the page says nothing about what it will show
 */
export async function sendAppPage(response: Response, webRoot: string, status: number, head?: PageHead): Promise<void> {
  const page = await readFile(join(webRoot, 'index.html'), 'utf8');
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('X-Robots-Tag', 'noindex');
  response.status(status).type('html').send(withHead(page, head));
}

/** Functions as replacements, since a `$` in a text has a meaning in a replacement string. */
function withHead(page: string, head: PageHead | undefined): string {
  const titled = head ? page.replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(head.title)}</title>`) : page;
  const tags = ['<meta name="robots" content="noindex">', ...(head?.meta ?? []).map(toTag)];
  return titled.replace('</head>', () => `${tags.join('\n')}\n</head>`);
}

function toTag([name, content]: [string, string]): string {
  const attribute = name.startsWith('og:') ? 'property' : 'name';
  return `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}">`;
}
