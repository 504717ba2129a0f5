import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { themeStylesheet } from './renderer/theme/theme-css.ts';
import { pageHead } from './scripts/page-head.ts';

const PAGES = ['share', 'album', 'guest', 'entry', 'request'];
/** Needed by every page. */
const FRAMEWORK = /node_modules[\\/](preact|@tanstack[\\/](react-query|query-core))[\\/]/;

/** Preact in React’s place (decision 068), also in the tests of these pages. */
export const PREACT = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
];

/**
 * The light pages: those that a visitor opens without an account. They contain neither Mantine nor the router. Built after the
 * application, into the same folder.
 */
export default defineConfig({
  root: 'renderer',
  publicDir: false,
  plugins: [react(), pageHead(), themeStylesheet('plain')],
  resolve: { alias: PREACT },
  build: {
    license: { fileName: 'light-licenses.json' },
    outDir: '../dist/renderer',
    assetsDir: 'assets/light',
    emptyOutDir: false,
    target: 'es2023',
    sourcemap: false,
    rolldownOptions: {
      input: PAGES.map((page) => `renderer/${page}.html`),
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 1 },
            { name: 'shared', tags: ['$initial'], minShareCount: 3 },
          ],
        },
      },
    },
  },
});
