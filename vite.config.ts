import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web application: one build for the desktop window and for every browser. */
export default defineConfig({
  root: 'renderer',
  plugins: [react()],
  // One stylesheet: a page whose own came late, or not at all because the service was away, would show bare.
  build: {
    license: { fileName: 'licenses.json' },
    cssCodeSplit: false,
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
  },
});
