// Screenshots whose text is known, rendered by Chromium.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright';
import sharp from 'sharp';
import { CHINESE, ENGLISH, LABELS, LABELS_ZH } from './sentences.ts';

/** Of which the Chinese font is installed on demand: with all its weights, it is larger than everything else. */
const FONT = '@fontsource/noto-sans-sc@5.3.0';
const FONTS = join(import.meta.dirname, '../../.cache/fonts');

export const KINDS = ['English', 'Chinese', 'mixed', 'dark', 'small', 'rotated', 'buttons', 'low contrast'] as const;
export type Kind = (typeof KINDS)[number];

export interface Screenshot {
  kind: Kind;
  png: Buffer;
  /** The text in it, one element of the page each. */
  texts: string[];
}

interface Page {
  kind: Kind;
  width: number;
  html: string;
  texts: string[];
}

const PER_KIND = 5;
const WIDTHS = [960, 1280, 1440, 1600, 1920];
const FAMILIES = ['Liberation Sans', 'DejaVu Sans', 'Liberation Serif', 'DejaVu Sans Mono', 'Noto Sans SC'];
/** Background and text. */
const DARK = ['#1e1e1e', '#0d1117', '#282c34', '#1a1b26', '#2d2d2d'];
const DARK_TEXT = ['#d4d4d4', '#e6edf3', '#abb2bf', '#a9b1d6', '#ffffff'];
const FAINT_TEXT = ['#8a8a8a', '#909296', '#868e96', '#8f8f8f', '#7d8590'];
const BUTTONS = ['#228be6', '#2f9e44', '#e03131', '#7048e8', '#f76707', '#0c8599', '#c2255c', '#1864ab'];

const STYLE = `* { box-sizing: border-box } body { margin: 0; padding: 32px; line-height: 1.5 } p { margin: 0 0 12px }
h1 { font-size: 1.8em; margin: 0 0 16px } .row { display: flex; flex-wrap: wrap; gap: 16px }
button { border: 0; border-radius: 6px; color: #fff; padding: 8px 18px; font: inherit }`;

/** The elements of a list from an offset, as if it had no end. */
const some = <T>(list: readonly T[], from: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => list[(from + i) % list.length] as T);
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function paragraphs(texts: string[], style: string): string {
  const [title, ...rest] = texts;
  return `<body style="${style}"><h1>${title}</h1>${rest.map((text) => `<p>${text}</p>`).join('')}</body>`;
}

function pageOf(kind: Kind, index: number): Page {
  const width = at(WIDTHS, index);
  const font = (size: number, extra = '') => `font: ${size}px '${at(FAMILIES, index)}', 'Noto Sans SC'; ${extra}`;
  const texts = (() => {
    if (kind === 'English' || kind === 'rotated') return some(ENGLISH, index * 7, 10);
    if (kind === 'Chinese') return some(CHINESE, index * 6, 10);
    if (kind === 'buttons') return [...some(LABELS, index * 6, 12), ...some(LABELS_ZH, index * 6, 8)];
    return [...some(ENGLISH, index * 5, 6), ...some(CHINESE, index * 4, 5)];
  })();
  const styles: Record<Exclude<Kind, 'buttons'>, string> = {
    English: font(14 + index, 'color: #222; background: #fff'),
    Chinese: font(14 + index, 'color: #222; background: #fff'),
    mixed: font(15 + index, 'color: #333; background: #f8f9fa'),
    dark: font(14 + index, `color: ${at(DARK_TEXT, index)}; background: ${at(DARK, index)}`),
    small: font(10 + (index % 3), 'color: #222; background: #fff'),
    rotated: font(16 + index, 'color: #222; background: #fff'),
    'low contrast': font(15 + index, `color: ${at(FAINT_TEXT, index)}; background: #fff`),
  };
  if (kind !== 'buttons') return { kind, width, texts, html: paragraphs(texts, styles[kind]) };
  const buttons = texts.map((text, i) => `<button style="background: ${at(BUTTONS, i + index)}">${text}</button>`);
  return {
    kind,
    width,
    texts,
    html: `<body style="${font(14 + (index % 4), 'background: #fff')}"><div class="row">${buttons.join('')}</div></body>`,
  };
}

/** Degrees by which the rotated ones are turned, clockwise. */
const TURNS = [90, 180, 270, 90, 270];

/** Renders all of them, one after the other. */
export async function* screenshots(browser: Browser): AsyncGenerator<Screenshot> {
  const css = installFont();
  const file = join(FONTS, 'page.html');
  for (const kind of KINDS) {
    for (let index = 0; index < PER_KIND; index++) {
      const { width, html, texts } = pageOf(kind, index);
      const page = await browser.newPage({ viewport: { width, height: Math.round(width * 0.6) } });
      writeFileSync(file, `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${css}"><style>${STYLE}</style>${html}`);
      await page.goto(pathToFileURL(file).href);
      await page.evaluate('document.fonts.ready');
      const shot = await page.screenshot();
      await page.close();
      yield { kind, png: kind === 'rotated' ? await sharp(shot).rotate(at(TURNS, index)).png().toBuffer() : shot, texts };
    }
  }
}

/** The address of the font's style sheet. */
function installFont(): string {
  const sheet = join(FONTS, 'node_modules/@fontsource/noto-sans-sc/400.css');
  if (!existsSync(sheet)) {
    mkdirSync(FONTS, { recursive: true });
    writeFileSync(join(FONTS, 'package.json'), '{ "private": true }');
    const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', FONT], { cwd: FONTS, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`${FONT} could not be installed.`);
  }
  return pathToFileURL(sheet).href;
}
