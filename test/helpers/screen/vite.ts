// What stands behind the page in component tests, in Vitest's own process: pictures, and what only the browser's driver can do.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defineBrowserCommand } from '@vitest/browser-playwright';
import type { CDPSession, Page } from 'playwright';
import type { Plugin } from 'vite';
import { plainPng } from '#test/helpers/pictures/tiny-png.ts';

/** The packages that pages load. They are bundled before the first test: one that is found later would reload the page. */
export function packagesOfPages(): string[] {
  const sources = globSync(['renderer/**/*.{ts,tsx}', 'api/**/*.ts']).map((path) => readFileSync(path, 'utf8'));
  const names = sources.flatMap((source) =>
    [...source.matchAll(/(?:^import |^.* from |import\()'(@?[a-z][\w./@-]*)'/gm)].map(([, name = '']) => name),
  );
  const isPackage = (name: string) => !/\.css$|^vite$/.test(name);
  return [...new Set([...names.filter(isPackage), 'react/jsx-runtime', 'axe-core'])];
}

/** The key of a picture of `anImage`, which says how large it is. */
const KEY = /\/(\d{4})x(\d{4})(\d{3})\b/;

/** Four seconds with sound, of 160 × 90 pixels, whose beginning is black. */
const VIDEO = readFileSync(join(import.meta.dirname, '../../fixtures/video/black-start.webm'));
/** In the place of a video, what no browser can play. */
const UNPLAYABLE = /\/\d{4}x0013\d{3}\./;

/** Sends a video, or the part of it that a player asks for. */
function sendVideo(path: string, range: string | undefined, response: ServerResponse): void {
  const bytes = UNPLAYABLE.test(path) ? Buffer.from('no video') : VIDEO;
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const part = bytes.subarray(Number(from), to ? Number(to) + 1 : bytes.length);
  const headers = { 'Content-Type': 'video/webm', 'Accept-Ranges': 'bytes', 'Content-Length': part.length };
  if (range === undefined) response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'Content-Range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}` });
  response.end(part);
}

/** Sends pictures for the addresses of originals and thumbnails: as large as their keys say, each in a colour of its own. */
export const pictures: Plugin = {
  name: 'pixdock-test-pictures',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const [, width = 0, height = 0, number = 0] = KEY.exec(url.pathname)?.map(Number) ?? [];
      if (!width) return next();
      if (/\.(mp4|webm)$/.test(url.pathname)) return sendVideo(url.pathname, request.headers.range, response);
      const longest = Number(url.searchParams.get('w') ?? Number.POSITIVE_INFINITY);
      const scale = Math.min(1, longest / Math.max(width, height));
      response.setHeader('Content-Type', 'image/png');
      response.setHeader('Cache-Control', 'max-age=600');
      const colour = [number * 37, number * 71, number * 113].map((value) => 60 + (value % 160)) as [number, number, number];
      response.end(plainPng(Math.round(width * scale), Math.round(height * scale), colour));
    });
  },
};

/** A file for the disk; its name may contain folders. */
export interface SentFile {
  name: string;
  base64: string;
}

interface Point {
  x: number;
  y: number;
}

interface Media {
  colorScheme?: 'light' | 'dark' | null;
  reducedMotion?: 'reduce' | 'no-preference';
}

export type MouseAction =
  | ['move', number, number, { steps: number }?]
  | ['down']
  | ['up']
  | ['wheel', number, number]
  | ['dblclick', number, number];

let folder: string | undefined;

/** Writes files to a folder of their own, and returns the paths of those and of the folders that are at its top. */
async function write(files: readonly SentFile[]): Promise<string[]> {
  if (!folder) {
    const made = mkdtempSync(join(tmpdir(), 'pixdock-dropped-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const own = mkdtempSync(join(folder, 'files-'));
  for (const { name, base64 } of files) {
    await mkdir(dirname(join(own, name)), { recursive: true });
    await writeFile(join(own, name), Buffer.from(base64, 'base64'));
  }
  return [...new Set(files.map(({ name }) => join(own, name.split('/')[0] ?? name)))];
}

type DragData = { items: never[]; files: string[]; dragOperationsMask: number };
/** What is being dragged over each page. */
const dragged = new WeakMap<Page, { cdp: CDPSession; data: DragData }>();

export const commands = {
  /** Plays a system's choices; null: the browser's own colours. */
  emulateMedia: defineBrowserCommand<[Media]>(({ page }, media) => page.emulateMedia(media)),

  /** Moves, presses and turns the mouse. */
  mouse: defineBrowserCommand<MouseAction[]>(async ({ page: { mouse } }, ...actions) => {
    for (const action of actions) {
      if (action[0] === 'move') await mouse.move(action[1], action[2], action[3]);
      else if (action[0] === 'wheel') await mouse.wheel(action[1], action[2]);
      else if (action[0] === 'dblclick') await mouse.dblclick(action[1], action[2]);
      else await mouse[action[0]]();
    }
  }),

  /** Drags files from the disk over the page, and holds them there. */
  dragFiles: defineBrowserCommand<[readonly SentFile[], Point]>(async ({ page }, files, at) => {
    const data = { items: [], files: await write(files), dragOperationsMask: 1 };
    const cdp = await page.context().newCDPSession(page);
    dragged.set(page, { cdp, data });
    for (const type of ['dragEnter', 'dragOver'] as const) await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
  }),

  /** Drops what is being dragged. */
  dropFiles: defineBrowserCommand<[Point]>(async ({ page }, at) => {
    const { cdp, data } = dragged.get(page) ?? {};
    if (!cdp || !data) throw new Error('nothing is being dragged');
    // Browsers send this all the time; a page that was busy would miss a single one, and with it the drop.
    for (const type of ['dragOver', 'drop'] as const) await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
    await cdp.detach();
  }),
};

declare module 'vitest/internal/browser' {
  interface BrowserCommands {
    emulateMedia(media: Media): Promise<void>;
    mouse(...actions: MouseAction[]): Promise<void>;
    dragFiles(files: readonly SentFile[], at: Point): Promise<void>;
    dropFiles(at: Point): Promise<void>;
  }
}
