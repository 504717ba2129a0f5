import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web application: one build for the desktop window and for every browser. */
export default defineConfig({
  root: 'renderer',
  plugins: [react()],
  // One stylesheet: pages must not appear unstyled because their own sheet came late, or not at all during an outage.
  build: {
    license: { fileName: 'licenses.json' },
    cssCodeSplit: false,
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
  },
});
