// `npm run pages` writes pictures of every page into .cache/pages/, in both languages and colour schemes and three widths, and a page that shows
// all of them. `npm run pages -- check` looks for accessibility violations and visual faults on them instead, in five sizes. `npm run pages -- web`
// leaves the desktop app out, `npm run pages -- documents` writes the pictures of README.md and the guides; further arguments go to Playwright.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { programOf, runNode } from './programs.mjs';

const folder = join(root, '.cache/pages');

await bootstrap(import.meta.url);
await ensureBuilt();
process.env.CHROMIUM_PATH = await ensureBrowser();
const given = process.argv.slice(2);
if (given[0] === 'documents') process.exit(runNode(programOf('playwright'), 'test', '--project=documents', ...given.slice(1)));
if (given[0] === 'check') {
  process.env.PIXDOCK_CHECK_PAGES = '1';
  process.exit(runNode(programOf('playwright'), 'test', '--project=pages', '--retries=0', ...given.slice(1)));
}
if (given.length === 0) rmSync(folder, { recursive: true, force: true });
const code = runNode(programOf('playwright'), 'test', '--project=pages', ...given);
const index = join(folder, 'index.html');
writeFileSync(index, contactSheet());
console.log(`\nEvery page, in ${pathToFileURL(index).href}`);
process.exit(code);

/** All pictures, a row for each page and language. Those of one width have the same width, so that their texts can be compared. */
function contactSheet() {
  const pages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const sections = pages.map(({ name }) => {
    const pictures = readdirSync(join(folder, name)).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
    const rows = ['en', 'zh'].map((language) =>
      pictures
        .filter((file) => file.includes(`-${language}.`))
        .map(
          (file) =>
            `<a href="${name}/${file}" title="${file}"><img src="${name}/${file}" loading="lazy" alt="${file}" data-width="${Number.parseInt(file, 10)}"></a>`,
        )
        .join('\n'),
    );
    return `<section id="${name}">\n<h2>${name}</h2>\n${rows.map((row) => `<div>${row}</div>`).join('\n')}\n</section>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The pages of Pixdock</title>
<style>
  body { margin: 1rem; background: #777; font-family: system-ui, sans-serif; }
  h2 { position: sticky; top: 0; margin: 1rem 0 0.25rem; padding: 0.25rem; background: #777; font-size: 1rem; }
  div { display: flex; gap: 0.5rem; margin-block-end: 0.5rem; }
  a { overflow: hidden; max-height: 30vw; }
  img { display: block; width: 100%; }
  a:has([data-width="390"]) { flex: 1; }
  a:has([data-width="1440"]) { flex: 3; }
  a:has([data-width="2560"]) { flex: 4; }
</style>
${sections.join('\n')}
</html>
`;
}
