import type { Uploaded } from '#api/upload.ts';

/** In what shape a link is printed. */
export const LINK_FORMATS = ['url', 'markdown', 'html', 'bbcode', 'json'] as const;
export type LinkFormat = (typeof LINK_FORMATS)[number];

/** One line about one uploaded picture; `json` is the answer's whole `data`. */
export function formatLink(format: LinkFormat, uploaded: Uploaded): string {
  if (format === 'json') return JSON.stringify(uploaded);
  return uploaded.links[format].replace(/[\r\n]+/g, ' ');
}
