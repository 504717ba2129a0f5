// Writes compressed copies beside the files that a browser loads, for the service to send in their place.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Of text. Pages are small, or changed while they are sent. */
const TEXT = /\.(?:js|css|svg)$/;
/** A smaller file fits into one packet anyway. */
const MIN_BYTES = 1024;

const METHODS = [
  ['.br', (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })],
  ['.gz', (text) => promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION })],
];

/** Compresses every text in a folder, with Brotli and gzip, as far as they go. */
export async function compressTexts(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => TEXT.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path);
      if (text.length < MIN_BYTES) return;
      for (const [extension, compress] of METHODS) {
        const copy = await compress(text);
        if (copy.length < text.length) await writeFile(path + extension, copy);
      }
    }),
  );
}
