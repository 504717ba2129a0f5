import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { type IndexHtmlTransformContext, minifySync, type Plugin } from 'vite';
import { cssVariables, theme } from '../renderer/theme/theme.ts';
import { laterStylesIn } from './later-styles.ts';

const FOLDER = join(import.meta.dirname, '../renderer/document');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
/** A fragment of HTML with those that it names in comments: `<!-- mark.html -->`. */
const readFragment = (name: string): string =>
  read(name).replace(/<!-- (\S+\.html) -->/g, (_comment, inner: string) => readFragment(inner));

const HEAD = `<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="same-origin" />
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />`;

/** What each page shows until its scripts and styles are there: a fragment of HTML and its stylesheet. */
const FRAMES: Record<string, [fragment: string, sheet: string]> = {
  index: ['app.html', 'app.css'],
  share: ['share.html', 'public.css'],
  album: ['public.html', 'public.css'],
  entry: ['entry.html', 'entry.css'],
  guest: ['public.html', 'public.css'],
  request: ['public.html', 'public.css'],
};

/** The colours of the frames, which the theme's own variables later repeat. */
function colours(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const own = cssVariables(merged);
  const rule = (scheme: 'light' | 'dark') => {
    const used = ['ground', 'rail', 'line', 'tile'].map((name) => `--pd-${name}:${own[scheme][`--pd-${name}`]}`);
    const button = merged.colors[merged.primaryColor]?.[(merged.primaryShade as Record<typeof scheme, number>)[scheme]];
    return `:root[data-mantine-color-scheme=${scheme}]{${used.join(';')};--pd-button:${button}}`;
  };
  return rule('light') + rule('dark');
}

/** The files with a page's texts, by language: what its own script imports, or else what that script's imports do. */
function packsOf({ bundle, chunk }: IndexHtmlTransformContext): Record<string, string> {
  const chunks = new Map(Object.values(bundle ?? {}).flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])));
  const names = chunk ? [chunk.fileName, ...chunk.imports] : [];
  for (const name of names) {
    const found = (chunks.get(name)?.dynamicImports ?? []).flatMap((file) => {
      const [, language] = /\/i18n\/(en|zh)-(?:first|light|guest|entry)\.ts$/.exec(chunks.get(file)?.facadeModuleId ?? '') ?? [];
      return language ? [[language, `/${file}`] as const] : [];
    });
    if (found.length > 0) return Object.fromEntries(found);
  }
  return {};
}

/**
 * Gives every page what all have: the beginning of its head, the script that runs before the first paint, and a frame in its colours. Its
 * stylesheets follow the frame, which is painted before they are there; its scripts wait for them. After Vite's own work, which would look
 * for the files among the sources.
 */
export function pageHead(): Plugin {
  return {
    name: 'pixdock-page-head',
    transformIndexHtml: {
      order: 'post',
      handler(html, context) {
        const page = basename(context.filename, '.html');
        const early = read('early.js')
          .replace("const PAGE = ''", `const PAGE = '${page}'`)
          .replace('const PACKS = {}', `const PACKS = ${JSON.stringify(packsOf(context))}`);
        const script = minifySync('early.js', early, { mangle: { toplevel: true } }).code;
        const [fragment, sheet] = FRAMES[page] ?? [];
        const styles = squeezeCss([read('frame.css'), sheet && read(sheet)].join(''));
        const frame = fragment && squeezeHtml(readFragment(fragment));
        const later = laterStylesIn(context.bundle ?? {});
        const meta = later ? `\n    <meta name="pixdock-later-styles" content="${later}" />` : '';
        const sheets: string[] = [];
        return html
          .replace(/\s*<link rel="stylesheet"[^>]*>/g, (link) => {
            sheets.push(link.trim());
            return '';
          })
          .replace('<head>', () => `${HEAD}${meta}\n    <script>${script}</script>\n    <style>${colours()}${styles}</style>`)
          .replace('<div id="root"></div>', (rootElement) => [rootElement, ...(frame ? [frame] : []), ...sheets].join('\n    '));
      },
    },
  };
}

/** CSS without comments and the space that only people need. */
const squeezeCss = (css: string) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replace(/:\s+/g, ':')
    .replaceAll(';}', '}')
    .trim();

/** HTML without the space between and inside of tags. */
const squeezeHtml = (html: string) =>
  html
    .replace(/\s+/g, ' ')
    .replace(/(?<=>) | (?=<|\/?>)/g, '')
    .trim();
