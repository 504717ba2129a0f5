import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { themeStylesheet } from './renderer/theme/theme-css.ts';
import { laterStyles } from './scripts/later-styles.ts';
import { mantineStyles } from './scripts/mantine-css.ts';
import { pageHead } from './scripts/page-head.ts';

/** Needed by every page. Left alone, the bundler splits them into dozens of small files by who imports what. */
const FRAMEWORK =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history|store|react-store|react-query|query-core))[\\/]/;

/** The web application: one build for the desktop window and for every browser. */
export default defineConfig({
  root: 'renderer',
  plugins: [react(), pageHead(), themeStylesheet('mantine'), mantineStyles, laterStyles],
  build: {
    license: { fileName: 'licenses.json' },
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 3 },
            // One file for everything that the first page needs at once.
            { name: 'first', tags: ['$initial'], priority: 2 },
            // What it loads next, each with all its parts. What both need goes to the overlays: they report that the menus couldn't be loaded.
            { name: 'overlays', test: /renderer[\\/]components[\\/]notices[\\/]overlays/, priority: 1 },
            {
              name: 'menus',
              test: /renderer[\\/](features[\\/]gallery[\\/]filters[\\/](filter|view)-menu|upload[\\/]sources[\\/]upload-menu\.tsx)/,
            },
          ],
        },
      },
    },
  },
});
