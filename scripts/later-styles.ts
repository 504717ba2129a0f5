import type { Plugin, Rolldown } from 'vite';

/** The name of the stylesheet in its build. */
const NAME = 'later.css';

/**
 * Leaves the first page's styles in its own stylesheet and puts all others into a single one. The bundler would split them by script, and its
 * loader never again requests one that has failed to load: the page would stay unstyled. The application loads this one before it shows
 * anything that may need it (`load` in renderer/service/connection.ts).
 */
export const laterStyles: Plugin = {
  name: 'pixdock-later-styles',
  apply: 'build',
  generateBundle: {
    // Before the names of stylesheets are written into pages and scripts.
    order: 'pre',
    handler(_options, bundle) {
      const chunks = new Map(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
      const first = new Set<string>();
      const later = new Set<string>();
      /** A script's styles follow those of its imports. */
      const visit = (name: string, sheets: Set<string>, seen: Set<string>) => {
        const chunk = chunks.get(name);
        if (!chunk || seen.has(name)) return;
        seen.add(name);
        for (const imported of chunk.imports) visit(imported, sheets, seen);
        for (const sheet of chunk.viteMetadata?.importedCss ?? []) sheets.add(sheet);
      };
      const pages = new Set<string>();
      for (const [name, { isEntry }] of chunks) if (isEntry) visit(name, first, pages);
      const others = new Set(pages);
      for (const name of chunks.keys()) visit(name, later, others);
      for (const name of others) if (!pages.has(name)) chunks.get(name)?.viteMetadata?.importedCss.clear();
      const source = [...later].filter((sheet) => !first.has(sheet)).map((sheet) => take(bundle, sheet));
      if (source.length > 0) this.emitFile({ type: 'asset', name: NAME, source: source.join('') });
    },
  },
};

function take(bundle: Rolldown.OutputBundle, name: string): string {
  const sheet = bundle[name];
  if (sheet?.type !== 'asset') throw new Error(`${name} isn't in the build`);
  delete bundle[name];
  return String(sheet.source);
}

/** The address of this stylesheet in a finished build that has one. */
export const laterStylesIn = (bundle: Rolldown.OutputBundle) =>
  Object.values(bundle).flatMap((file) => (file.type === 'asset' && file.names.includes(NAME) ? [`/${file.fileName}`] : []))[0];
