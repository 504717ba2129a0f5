import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { themeStylesheet } from './renderer/theme/theme-css.ts';
import { mantineStyles } from './scripts/mantine-css.ts';

/**
 * The desktop app's own pages, for when no service serves the web application: one classic script and one stylesheet, since browsers load no
 * modules from files. The pages themselves are in `resources/`. In the mode `record`, the script of recordings, which alone encodes videos.
 */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  plugins: [react(), themeStylesheet('mantine'), mantineStyles],
  // Classic scripts have no `import.meta`.
  define: { 'import.meta': '{}' },
  build: {
    license: { fileName: mode === 'record' ? 'record-licenses.json' : 'licenses.json' },
    outDir: 'dist/pages',
    emptyOutDir: mode !== 'record',
    target: 'chrome150',
    cssCodeSplit: false,
    // Read from the disk.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: {
        [mode === 'record' ? 'record' : 'pages']: mode === 'record' ? 'renderer/desktop/record/main.ts' : 'renderer/desktop/main.tsx',
      },
      output: { format: 'iife', codeSplitting: false, entryFileNames: '[name].js', assetFileNames: 'pages[extname]' },
    },
  },
}));
