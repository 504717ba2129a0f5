import { basename } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Replaces Mantine's stylesheet, which is for all of its components, by those of the components that a build contains: each imports its own.
 * Development keeps the whole one.
 */
export const mantineStyles: Plugin = {
  name: 'pixdock-mantine-css',
  apply: 'build',
  load: {
    filter: { id: /@mantine[\\/]core[\\/]styles\.layer\.css$/ },
    // What belongs to no component.
    handler: () =>
      ['default-css-variables', 'baseline', 'global'].map((name) => `@import '@mantine/core/styles/${name}.layer.css';`).join('\n'),
  },
  transform: {
    filter: { id: /@mantine[\\/]core[\\/]esm[\\/].*\.module\.mjs$/ },
    handler: (code, id) => `import '@mantine/core/styles/${basename(id, '.module.mjs')}.layer.css';\n${code}`,
  },
};
