import { readFileSync } from 'node:fs';
import { DOUBLE_VERSION } from '#test/desktop/double/machine.ts';
import { decode, encode } from '#test/desktop/double/processes/codec.ts';

const runtime = readFileSync(new URL('./preload-runtime.js', import.meta.url), 'utf8');

/** What every page runs first: the preload runtime with the app's preload script in it. */
export function preloadScript(preload: string | undefined): string {
  const code = preload ? readFileSync(preload, 'utf8') : '';
  const filling: Record<string, string> = {
    ENCODE: `(${encode})`,
    DECODE: `(${decode})`,
    PLATFORM: process.platform,
    VERSION: DOUBLE_VERSION,
    'PRELOAD;': code,
  };
  return runtime.replace(/ENCODE|DECODE|PLATFORM|VERSION|PRELOAD;/g, (placeholder) => filling[placeholder] ?? '');
}
