import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DOUBLE_VERSION } from '#test/desktop/double/machine.ts';
import { decode, encode } from '#test/desktop/double/processes/codec.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const runtime = read('./preload-runtime.js');
const page = read('./page-runtime.js');
/** An arrow function, after its comments. */
const membrane = read('./membrane.js')
  .replace(/^\/\/.*\n/gm, '')
  .trimEnd()
  .replace(/;$/, '');

/** The world of the preload script, beside the page's own. */
export const PRELOAD_WORLD = 'electron-double-preload';
/** The channel on which a page asks for a permission that Chromium's protocol doesn't know. */
export const PERMISSION_CHANNEL = 'electron-double:permission';

/** What every page runs first in each of its worlds, in this order: the end of the context bridge; the preload runtime with the app's preload script in it. */
export function preloadScripts(preload: string | undefined): { page: string; preload: string } {
  const code = preload ? readFileSync(preload, 'utf8') : '';
  const filling: Record<string, string> = {
    MEMBRANE: `(${membrane})`,
    ENCODE: `(${encode})`,
    DECODE: `(${decode})`,
    PLATFORM: process.platform,
    VERSION: DOUBLE_VERSION,
    PERMISSION: PERMISSION_CHANNEL,
    // The worlds' events; pages can't guess them.
    PRELOAD: `preload-${randomUUID()}`,
    PAGE: `page-${randomUUID()}`,
    'PRELOAD_SCRIPT;': code,
  };
  const fill = (text: string) =>
    text.replace(
      /\b(?:MEMBRANE|ENCODE|DECODE|PLATFORM|VERSION|PERMISSION|PRELOAD_SCRIPT;|PRELOAD|PAGE)(?![\w-])/g,
      (placeholder) => filling[placeholder] ?? '',
    );
  return { page: fill(page), preload: fill(runtime) };
}
