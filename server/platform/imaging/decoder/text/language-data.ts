import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { TextLanguage } from '../../types.ts';

/** What Tesseract has learned: the accurate models with integer weights, each with the SHA-256 of its file. */
const FILES: Record<TextLanguage, { url: () => string; sha256: string }> = {
  eng: {
    url: () => import.meta.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
    sha256: '45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91',
  },
  chi_sim: {
    url: () => import.meta.resolve('@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim.traineddata.gz'),
    sha256: 'b8a23f10c7de500891eb458a8adc9cc58ab7f242f08b7d149f5e9aea4ad5db7c',
  },
};

/** The data of a language. @throws Error when its file isn't the expected one */
export async function readLanguageData(language: TextLanguage): Promise<Uint8Array> {
  const { url, sha256 } = FILES[language];
  const file = new URL(url());
  const compressed = await readFile(file);
  requireHash(compressed, { file: basename(file.pathname), sha256 });
  return promisify(gunzip)(compressed);
}

/** Tesseract would read whatever it is given: a changed file may be an attack. @throws Error */
export function requireHash(bytes: Uint8Array, { file, sha256 }: { file: string; sha256: string }): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found} instead of ${sha256}. Install Pixdock again.`);
}
