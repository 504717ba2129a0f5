// Measures the recognition of text in 40 screenshots whose text is known, by kind: the words found, processor time and memory.
// Words differ by spaces, in Chinese by meaning (Intl.Segmenter); a word counts when all of its letters are right.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { recognizers } from '../server/platform/imaging/decoders.ts';
import type { Decoding } from '../server/platform/imaging/decoding.ts';
import { recognizeText } from '../server/platform/imaging/recognize.ts';
import { CHROMIUM_ARGUMENTS } from '../test/helpers/programs/chromium.ts';
import { cpuSeconds, openWorkshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { KINDS, type Kind, type Screenshot, screenshots } from './support/screenshots.ts';

/** Percentages of the words. */
const TARGETS: Record<Kind, number> = {
  English: 95,
  Chinese: 95,
  mixed: 95,
  dark: 85,
  small: 85,
  rotated: 85,
  buttons: 80,
  'low contrast': 85,
};

/** Nothing else decodes. */
const unbounded: Decoding = Object.assign(<T>(_bytes: number, work: () => Promise<T>) => work(), {
  reading: <T>(work: () => Promise<T>) => work(),
});

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);
const plain = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const chinese = new Intl.Segmenter('zh', { granularity: 'word' });

await using workshop = openWorkshop();
await main();

async function main() {
  const rendered = await render();
  let memory = 0;
  for (const kind of KINDS) {
    const all: Measured[] = [];
    for (const screenshot of rendered) if (screenshot.kind === kind) all.push(await measure(screenshot));
    const sum = (of: (one: Measured) => number) => all.reduce((total, one) => total + of(one), 0);
    const [known, found] = [sum((one) => one.known), sum((one) => one.known - one.missed.length)];
    const missed = all.flatMap((one) => one.missed);
    console.log(`${kind}: ${found} of ${known} words${missed.length > 0 ? `; missed: ${missed.slice(0, 12).join(' ')}` : ''}`);
    const values = all.map((one) => (100 * (one.known - one.missed.length)) / one.known);
    record({ row: kind, value: (100 * found) / known, values, unit: '%', target: TARGETS[kind], better: 'more' });
    record({
      row: `${kind}, CPU`,
      value: sum((one) => one.cpu) / all.length,
      values: all.map((one) => one.cpu),
      unit: 's',
      better: 'less',
    });
    memory = Math.max(memory, ...all.map((one) => one.memory));
  }
  record({ row: 'memory of the process', value: memory, values: [memory], unit: 'MB', better: 'less' });
}

async function render(): Promise<Screenshot[]> {
  await using browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: CHROMIUM_ARGUMENTS,
  });
  const rendered: Screenshot[] = [];
  for await (const screenshot of screenshots(browser)) rendered.push(screenshot);
  return rendered;
}

interface Measured {
  known: number;
  missed: string[];
  cpu: number;
  /** MB, after the picture. WebAssembly never returns any. */
  memory: number;
}

async function measure({ png, texts }: Screenshot): Promise<Measured> {
  const file = join(workshop.folder, 'screenshot.png');
  writeFileSync(file, png);
  const before = cpuSeconds(process.pid);
  const { lines } = await recognizeText(file, { languages: ['eng', 'chi_sim'] }, unbounded);
  const cpu = cpuSeconds(process.pid) - before;
  const words = texts.flatMap(wordsIn);
  return { known: words.length, missed: missing(words, lines.map(({ text }) => text).join('\n')), cpu, memory: recognizers.memory() / 1e6 };
}

function wordsIn(text: string): string[] {
  if (isChinese(text)) return [...chinese.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []));
  return text.split(/\s+/).map(plain).filter(Boolean);
}

/** Each word that was found counts once. */
function missing(words: readonly string[], found: string): string[] {
  const left = found.split(/\s+/).map(plain);
  return words.filter((word) => {
    if (isChinese(word)) return !found.includes(word);
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
