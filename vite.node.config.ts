import { chmod, copyFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { toAscii } from './scripts/ascii-source.ts';
import { PROGRAMS } from './server/platform/imaging/decoder/threads/wasm.ts';

/** Makes the command line's file executable. */
const executableCli: Plugin = {
  name: 'executable-cli',
  async writeBundle({ dir }, bundle) {
    if (dir && 'cli/pixdock.js' in bundle) await chmod(join(dir, 'cli/pixdock.js'), 0o755);
  },
};

/**
 * Copies WebAssembly beside the decoder worker, which reads it from there, and takes libheif's out of the worker's source: 1.9 MB that every thread
 * would read, at 32 ms of CPU time.
 */
const decoderPrograms: Plugin = {
  name: 'decoder-programs',
  transform(code, id) {
    if (!id.endsWith('/libheif-bundle.mjs')) return undefined;
    const glue = code.replace(/"[A-Za-z0-9+/=]{1000000,}"/, '""');
    if (glue === code) this.error('libheif-bundle.mjs no longer contains its WebAssembly as one text in Base64.');
    return { code: glue, map: null };
  },
  async writeBundle({ dir }, bundle) {
    if (!dir || !('server/decoder-worker.js' in bundle)) return;
    for (const [name, path] of Object.entries(PROGRAMS))
      await copyFile(fileURLToPath(import.meta.resolve(path)), join(dir, `server/${name}.wasm`));
  },
};

/**
 * Imports `node:http` as an object. An `import` reads all its exports, among them `WebSocket`, for which Node loads its whole `fetch`:
 * 50 ms and 14 MB at every start (decision 097).
 */
const leanHttp: Plugin = {
  name: 'lean-http',
  enforce: 'pre',
  resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind === 'import-statement' ? '\0lean-http' : undefined),
  load(id) {
    if (id !== '\0lean-http') return undefined;
    const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { value }]) => (value ? name : []));
    return `const http = process.getBuiltinModule('node:http');\nexport const { ${names} } = http;\nexport default http;`;
  },
};

/** Escapes non-ASCII characters, which would double the memory of a file's source: 5 MB in a running service (decision 097). */
const asciiSource: Plugin = {
  name: 'ascii-source',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      // In a raw string, an escape would remain one.
      if (file.type !== 'chunk' || file.code.includes('String.raw`')) continue;
      file.code = toAscii(file.code);
      this.parse(file.code);
    }
  },
};

/** Lists which files each file of the build loads, at once or later: a package contains only what its programs need. */
const moduleList: Plugin = {
  name: 'module-list',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const list = chunks.map(({ fileName, imports, dynamicImports }) => [
      fileName,
      [...imports, ...dynamicImports].filter((name) => name in bundle),
    ]);
    this.emitFile({ type: 'asset', fileName: 'modules.json', source: JSON.stringify(Object.fromEntries(list)) });
  },
};

/**
 * Main process, service and command line: ECMAScript modules for Node 24, with all packages bundled except natives and electron.
 * One file starts several times faster than hundreds.
 */
export default defineConfig({
  plugins: [leanHttp, executableCli, decoderPrograms, asciiSource, moduleList],
  ssr: { noExternal: true, external: ['electron', 'better-sqlite3', 'sharp', '@node-rs/argon2', 'tesseract.js-core'] },
  build: {
    ssr: true,
    license: { fileName: 'licenses.json' },
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        'main/main': 'main/main.ts',
        'server/bin': 'server/bin.ts',
        'server/child': 'main/server-child.ts',
        'server/decoder': 'server/platform/imaging/decoder/program.ts',
        'server/decoder-worker': 'server/platform/imaging/decoder/threads/worker.ts',
        'server/file-worker': 'server/platform/files/file-worker.ts',
        'server/arrival-worker': 'server/platform/storage/arrival/worker.ts',
        'server/start-check-worker': 'server/boot/start-check-worker.ts',
        'cli/pixdock': 'cli/pixdock.ts',
        'cli/markdown-worker': 'cli/markdown/parser-worker.ts',
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
});
