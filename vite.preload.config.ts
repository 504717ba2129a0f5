import { defineConfig } from 'vite';

/** The preload script: one CommonJS file, since sandboxed preloads cannot require anything but electron. */
export default defineConfig({
  publicDir: false,
  build: {
    license: { fileName: 'licenses.json' },
    target: 'chrome150',
    outDir: 'dist/preload',
    emptyOutDir: true,
    minify: false,
    lib: { entry: 'main/preload.ts', formats: ['cjs'], fileName: () => 'preload.cjs' },
    rolldownOptions: { external: ['electron'] },
  },
});
