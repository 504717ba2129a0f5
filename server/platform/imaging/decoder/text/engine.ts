import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ImageTooLargeError } from '../../errors.ts';
import type { TextLanguage } from '../../types.ts';
import { withMemoryLimit } from '../threads/wasm-memory.ts';
import type { GreyPicture, Word } from './types.ts';

/** Pages of 64 KiB: 256 MiB, twice what pictures of the size that it gets need. */
const MAX_MEMORY_PAGES = 4_096;

/** Only neural networks: the data contains nothing else. */
const LSTM_ONLY = 1;

/** Text anywhere, in no order: screenshots have no columns and paragraphs. */
const SPARSE_TEXT = '11';

/** The part of tesseract.js-core that is used here. */
interface Tesseract {
  /** Called for every word. */
  TesseractProgress: () => void;
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TessBaseApi;
}

interface TessBaseApi {
  Init(dataPath: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): boolean;
  /** Reads `/input`. Returns 1 when it can't. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  Clear(): void;
}

interface Bounds {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A part of `GetJSONText`. */
interface Found {
  blocks?: { paragraphs?: { lines?: { words?: { text: string; confidence: number; bbox: Bounds }[] }[] }[] }[] | null;
}

/** Tesseract with languages. After an error, it is unusable. */
export interface Engine {
  /**
   * The words in a picture, in its pixels.
   * @param isOver whether time is up
   * @throws OutOfTimeError, ImageTooLargeError when it runs out of memory
   */
  read(picture: GreyPicture, isOver: () => boolean): Word[];
}

/** Time was up while a picture was read. */
export class OutOfTimeError extends Error {}

/** Loads Tesseract and the data of the languages, which takes a second. */
export async function openEngine(languages: readonly TextLanguage[]): Promise<Engine> {
  // One variant for all processors that Pixdock runs on.
  const load = createRequire(import.meta.url)('tesseract.js-core/tesseract-core-simd-lstm.js') as (given: object) => Promise<Tesseract>;
  const program = await readFile(new URL(import.meta.resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm')));
  const silent = { print: () => undefined, printErr: () => undefined, TesseractProgress: () => undefined };
  const tesseract = await load({ ...silent, wasmBinary: withMemoryLimit(program, MAX_MEMORY_PAGES) });
  for (const language of languages) tesseract.FS.writeFile(`./${language}.traineddata`, await readLanguageData(language));
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, languages.join('+'), LSTM_ONLY) !== 0) throw new Error(`Tesseract can't load ${languages.join(' and ')}.`);
  // It has copied them.
  for (const language of languages) tesseract.FS.unlink(`./${language}.traineddata`);
  api.SetVariable('tessedit_pageseg_mode', SPARSE_TEXT);
  return {
    read(picture, isOver) {
      tesseract.TesseractProgress = () => {
        if (isOver()) throw new OutOfTimeError();
      };
      return withMemoryErrors(() => recognize(tesseract, api, picture));
    },
  };
}

function recognize({ FS }: Tesseract, api: TessBaseApi, picture: GreyPicture): Word[] {
  FS.writeFile('/input', toPgm(picture));
  if (api.SetImageFile(1, 0) === 1) throw new Error('Tesseract can’t read what it was given.');
  api.Recognize(null);
  const { blocks } = JSON.parse(api.GetJSONText()) as Found;
  api.Clear();
  FS.unlink('/input');
  return wordsOf(blocks ?? []);
}

function wordsOf(blocks: NonNullable<Found['blocks']>): Word[] {
  const lines = blocks.flatMap(({ paragraphs = [] }) => paragraphs.flatMap(({ lines: found = [] }) => found));
  return lines.flatMap(({ words = [] }) =>
    words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({ text: text.trim(), confidence, box: [x0, y0, x1 - x0, y1 - y0] })),
  );
}

/** The simplest format that it reads. */
function toPgm({ width, height, pixels }: GreyPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

function withMemoryErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // WebAssembly traps when it runs out of memory.
    if (error instanceof Error && /^(RuntimeError|RangeError)$/.test(error.name))
      throw new ImageTooLargeError('Reading the text in the picture takes too much memory.', { cause: error });
    throw error;
  }
}

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
async function readLanguageData(language: TextLanguage): Promise<Uint8Array> {
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
