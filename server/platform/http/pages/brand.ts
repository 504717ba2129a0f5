import type { Accent, ThemeAccent } from '#api/accent.ts';
import { escapeHtml } from './html.ts';

/** What a site's own looks add to every page. */
export interface PageBrand {
  name: string;
  /** Rules that follow the page's own; empty without any. Trusted. */
  style: string;
  /** The accent colour of pages without the application's styles; null: Pixdock's own. */
  accent: Pick<Accent, 'light' | 'dark'> | null;
  /** JSON for the page's scripts; empty if they know it already. */
  data: string;
  /** Addresses of the icons for browser tabs and for home screens; null: the page's own. */
  icons: { icon: string; tile: string } | null;
}

/** The rule that follows the style of a page without the application's styles, whose `--accent` depends on the system's theme. */
export const accentRule = (accent: PageBrand['accent'], use: keyof ThemeAccent): string =>
  accent ? `\n:root{--accent:light-dark(${accent.light[use]},${accent.dark[use]})}` : '';

/** The name in the pages as they are built. */
const BUILT_TITLE = '<title>Pixdock</title>';

/** Replaces with functions, since `$` is special in replacement strings. */
export function withBrand(page: string, { name, style, data, icons }: PageBrand): string {
  const titled = page.replace(BUILT_TITLE, () => `<title>${escapeHtml(name)}</title>`);
  const meta = data && `<meta name="pixdock-brand" content="${escapeHtml(data)}">\n`;
  const rules = style && `<style id="pixdock-accent">${style}</style>\n`;
  const branded = titled.replace('</head>', () => `${meta}${rules}</head>`);
  if (!icons) return branded;
  return branded
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" type="image/png" sizes="64x64" href="${escapeHtml(icons.icon)}">`)
    .replace(/<link rel="apple-touch-icon"[^>]*>/, () => `<link rel="apple-touch-icon" href="${escapeHtml(icons.tile)}">`);
}
