import type { Plugin } from 'vite';

const HEAD = `<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="same-origin" />
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <script src="/scheme.js"></script>`;

/** Begins the head of every page with what all pages have. After Vite's own work, which would look for the files among the sources. */
export const pageHead: Plugin = {
  name: 'pixdock-page-head',
  transformIndexHtml: { order: 'post', handler: (html) => html.replace('<head>', HEAD) },
};
