import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Mantine's own computing of the theme's variables, which renderer/theme/theme-css.ts replaces. */
const VARIABLES = /[\\/]MantineCssVariables\.mjs$/;

/** Colours of Mantine that nothing here has. */
const UNUSED_COLOURS = /^\s*--mantine-color-(pink|grape|violet|indigo|cyan|lime)-.*\n/gm;

const styles = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`@mantine/core/styles/${name}.layer.css`)), 'utf8');

/**
 * Replaces Mantine's stylesheet, which is for all of its components, by those of the components that a build contains: each imports its own.
 * Development keeps the whole one.
 */
export const mantineStyles: Plugin = {
  name: 'pixdock-mantine-css',
  apply: 'build',
  load: {
    filter: { id: [VARIABLES, /@mantine[\\/]core[\\/]styles\.layer\.css$/] },
    handler: (id) =>
      VARIABLES.test(id)
        ? 'export const MantineCssVariables = () => null;'
        : // What belongs to no component.
          styles('default-css-variables').replace(UNUSED_COLOURS, '') + styles('baseline') + styles('global'),
  },
  transform: {
    filter: { id: /@mantine[\\/]core[\\/]esm[\\/].*\.module\.mjs$/ },
    handler: (code, id) => `import '@mantine/core/styles/${basename(id, '.module.mjs')}.layer.css';\n${code}`,
  },
};
